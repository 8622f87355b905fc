/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TYPES_H
#define DEVX_ETH_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "prm/cqe.h"

/**
 * DOC: Packet types
 *
 * A CQE describes the headers of its packet in two bytes. Eight of the bits index a table of
 * packet types for the mbuf:
 *
 *     outer_tunnel    1:0   outer L3 is IPv6, tunneled   -> index 7:6
 *     l4_l3_hdr_type  7:2   fragment, L4, L3             -> index 5:0
 *
 * The second byte of a tunneled packet describes the inner headers. The types are those of DPDK's
 * net_mlx5: it does not distinguish IP headers with and without options.
 */

struct devx_eth_types {
	uint32_t ptype[1 << 8];
};

static __rte_always_inline uint32_t devx_eth_type_get(const struct devx_eth_types *types,
						      const struct prm_cqe *cqe)
{
	const uint8_t outer = (uint8_t)(cqe->outer_tunnel << 6);

	return types->ptype[outer | cqe->l4_l3_hdr_type >> PRM_CQE_HDR_L3_SHIFT];
}

void devx_eth_types_fill(struct devx_eth_types *types);

/**
 * devx_eth_ptypes_get - list the packet types of the table
 * @inner: with those of inner headers
 * @n: receives the number of types
 *
 * Return: the list; RTE_PTYPE_UNKNOWN follows its last type.
 */
const uint32_t *devx_eth_ptypes_get(bool inner, unsigned int *n);

#endif
