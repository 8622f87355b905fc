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
 * A CQE tells what the parser saw in one byte, l4_l3_hdr_type, and which checksums held in
 * two bits of another. Together they index a table of what the mbuf is to say.
 */

/** struct devx_eth_type - what an mbuf says */
struct devx_eth_type {
	uint32_t ptype;
	uint32_t ol_flags; /* all flags that we set stand in the low half */
};

struct devx_eth_types {
	struct devx_eth_type of[1 << 10];
};

/** devx_eth_type_get - the entry for a CQE */
static __rte_always_inline const struct devx_eth_type *
devx_eth_type_get(const struct devx_eth_types *types, const struct prm_cqe *cqe)
{
	const unsigned int ok = cqe->hds_ip_ext / PRM_CQE_L3_OK & 3; /* L3 and L4 */

	return &types->of[cqe->l4_l3_hdr_type << 2 | ok];
}

/**
 * devx_eth_types_fill - make the table
 * @types: receives it
 * @csum: the application asked for checksum flags
 */
void devx_eth_types_fill(struct devx_eth_types *types, bool csum);

/** devx_eth_ptypes_get - every type in the table, ended by RTE_PTYPE_UNKNOWN. @n: without that */
const uint32_t *devx_eth_ptypes_get(unsigned int *n);

#endif
