/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "devx_types.h"

enum { L3_OK = 1 << 0, L4_OK = 1 << 1 }; /* the two low bits of the index of the table */

static uint32_t find_l4_ptype(uint8_t hdr)
{
	switch (hdr >> PRM_CQE_HDR_L4_SHIFT & 7) {
	case PRM_CQE_L4_TCP:
	case PRM_CQE_L4_TCP_EMPTY_ACK:
	case PRM_CQE_L4_TCP_ACK:
		return RTE_PTYPE_L4_TCP;
	case PRM_CQE_L4_UDP:
		return RTE_PTYPE_L4_UDP;
	default:
		return 0;
	}
}

static uint32_t find_l3_ptype(uint8_t hdr)
{
	const bool ext = hdr & PRM_CQE_HDR_IP_EXT;

	switch (hdr >> PRM_CQE_HDR_L3_SHIFT & 3) {
	case PRM_CQE_L3_IPV4:
		return ext ? RTE_PTYPE_L3_IPV4_EXT : RTE_PTYPE_L3_IPV4;
	case PRM_CQE_L3_IPV6:
		return ext ? RTE_PTYPE_L3_IPV6_EXT : RTE_PTYPE_L3_IPV6;
	default:
		return 0;
	}
}

static uint32_t find_ptype(uint8_t hdr)
{
	const uint32_t l3 = find_l3_ptype(hdr);

	if (!l3)
		return RTE_PTYPE_L2_ETHER;
	if (hdr & PRM_CQE_HDR_IP_FRAG)
		return RTE_PTYPE_L2_ETHER | l3 | RTE_PTYPE_L4_FRAG;
	return RTE_PTYPE_L2_ETHER | l3 | find_l4_ptype(hdr);
}

/* Sets no flag for a checksum that is absent (IPv6) or does not cover the frame (a fragment). */
static uint32_t find_csum_flags(uint32_t type, unsigned int ok)
{
	const uint32_t l4 = type & RTE_PTYPE_L4_MASK;
	uint64_t flags = 0;

	if (RTE_ETH_IS_IPV4_HDR(type))
		flags |= ok & L3_OK ? RTE_MBUF_F_RX_IP_CKSUM_GOOD : RTE_MBUF_F_RX_IP_CKSUM_BAD;
	if (l4 == RTE_PTYPE_L4_TCP || l4 == RTE_PTYPE_L4_UDP)
		flags |= ok & L4_OK ? RTE_MBUF_F_RX_L4_CKSUM_GOOD : RTE_MBUF_F_RX_L4_CKSUM_BAD;
	return (uint32_t)flags;
}

void devx_eth_types_fill(struct devx_eth_types *types, bool csum)
{
	for (unsigned int i = 0; i < RTE_DIM(types->of); i++) {
		const uint32_t type = find_ptype((uint8_t)(i >> 2));

		types->of[i].ptype = type;
		types->of[i].ol_flags = csum ? find_csum_flags(type, i & 3) : 0;
	}
}

const uint32_t *devx_eth_ptypes_get(unsigned int *n)
{
	static const uint32_t list[] = {
		RTE_PTYPE_L2_ETHER, RTE_PTYPE_L3_IPV4,     RTE_PTYPE_L3_IPV4_EXT,
		RTE_PTYPE_L3_IPV6,  RTE_PTYPE_L3_IPV6_EXT, RTE_PTYPE_L4_TCP,
		RTE_PTYPE_L4_UDP,   RTE_PTYPE_L4_FRAG,     RTE_PTYPE_UNKNOWN,
	};

	*n = RTE_DIM(list) - 1;
	return list;
}
