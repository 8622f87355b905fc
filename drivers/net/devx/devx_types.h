/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TYPES_H
#define DEVX_ETH_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "prm/cqe.h"

/**
 * DOC: Packet types and checksum flags
 *
 * A CQE has the packet type in byte l4_l3_hdr_type, and one bit each for a valid L3 and a valid L4
 * checksum in another byte. The ten bits index a table of packet types and flags for the mbuf.
 */

/** struct devx_eth_type - packet_type and ol_flags of an mbuf */
struct devx_eth_type {
	uint32_t ptype;
	uint32_t ol_flags; /* the checksum flags are in the low 32 bits of the mbuf's ol_flags */
};

struct devx_eth_types {
	struct devx_eth_type of[1 << 10];
};

/** devx_eth_type_get - get the table entry for a CQE */
static __rte_always_inline const struct devx_eth_type *
devx_eth_type_get(const struct devx_eth_types *types, const struct prm_cqe *cqe)
{
	const unsigned int ok =
		cqe->hds_ip_ext / PRM_CQE_L3_OK & 3; /* bits of valid L3 and L4 checksums */

	return &types->of[cqe->l4_l3_hdr_type << 2 | ok];
}

/**
 * devx_eth_types_fill - fill the table
 * @types: receives the table
 * @csum: the application requested checksum offload; false: all ol_flags are 0
 */
void devx_eth_types_fill(struct devx_eth_types *types, bool csum);

/** devx_eth_ptypes_get - list the @n packet types of the table; RTE_PTYPE_UNKNOWN ends the list */
const uint32_t *devx_eth_ptypes_get(unsigned int *n);

#endif
