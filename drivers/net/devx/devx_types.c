/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf_ptype.h>

#include "devx_types.h"

/* Bits of an index of the table. */
enum {
	L3_MASK = 3,
	L4_SHIFT = PRM_CQE_HDR_L4_SHIFT - PRM_CQE_HDR_L3_SHIFT,
	L4_MASK = 7,
	FRAG = PRM_CQE_HDR_IP_FRAG >> PRM_CQE_HDR_L3_SHIFT,
	TUNNEL = PRM_CQE_TUNNELED << 6,
	OUTER_IPV6 = PRM_CQE_OUTER_IPV6 << 6,
};

/* Returns the types of the headers that the second byte describes; UNKNOWN for invalid values. */
static uint32_t find_l3_l4(unsigned int index)
{
	uint32_t l3, l4;

	switch (index & L3_MASK) {
	case PRM_CQE_L3_IPV4:
		l3 = RTE_PTYPE_L3_IPV4_EXT_UNKNOWN;
		break;
	case PRM_CQE_L3_IPV6:
		l3 = RTE_PTYPE_L3_IPV6_EXT_UNKNOWN;
		break;
	default:
		return RTE_PTYPE_UNKNOWN;
	}
	switch (index >> L4_SHIFT & L4_MASK) {
	case PRM_CQE_L4_NONE:
		l4 = RTE_PTYPE_L4_NONFRAG;
		break;
	case PRM_CQE_L4_TCP:
	case PRM_CQE_L4_TCP_EMPTY_ACK:
	case PRM_CQE_L4_TCP_ACK:
		l4 = RTE_PTYPE_L4_TCP;
		break;
	case PRM_CQE_L4_UDP:
		l4 = RTE_PTYPE_L4_UDP;
		break;
	default:
		return RTE_PTYPE_UNKNOWN;
	}
	return l3 | (index & FRAG ? RTE_PTYPE_L4_FRAG : l4);
}

static uint32_t make_inner(uint32_t type)
{
	static const struct {
		uint32_t outer, inner;
	} same[] = {
		{ RTE_PTYPE_L3_IPV4_EXT_UNKNOWN, RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN },
		{ RTE_PTYPE_L3_IPV6_EXT_UNKNOWN, RTE_PTYPE_INNER_L3_IPV6_EXT_UNKNOWN },
		{ RTE_PTYPE_L4_NONFRAG, RTE_PTYPE_INNER_L4_NONFRAG },
		{ RTE_PTYPE_L4_FRAG, RTE_PTYPE_INNER_L4_FRAG },
		{ RTE_PTYPE_L4_TCP, RTE_PTYPE_INNER_L4_TCP },
		{ RTE_PTYPE_L4_UDP, RTE_PTYPE_INNER_L4_UDP },
	};
	const uint32_t l3 = type & RTE_PTYPE_L3_MASK, l4 = type & RTE_PTYPE_L4_MASK;
	uint32_t inner = 0;

	for (unsigned int i = 0; i < RTE_DIM(same); i++)
		if (same[i].outer == l3 || same[i].outer == l4)
			inner |= same[i].inner;
	return inner;
}

static uint32_t find_ptype(unsigned int index)
{
	const bool no_ip = !(index & ~(unsigned int)(TUNNEL | OUTER_IPV6));
	const uint32_t type = find_l3_l4(index);
	uint32_t outer = RTE_PTYPE_L2_ETHER;

	if (!type && !no_ip)
		return RTE_PTYPE_UNKNOWN;
	if (!(index & TUNNEL))
		return type || !(index & OUTER_IPV6) ? outer | type : RTE_PTYPE_UNKNOWN;
	outer |= index & OUTER_IPV6 ? RTE_PTYPE_L3_IPV6_EXT_UNKNOWN : RTE_PTYPE_L3_IPV4_EXT_UNKNOWN;
	return outer | make_inner(type);
}

void devx_eth_types_fill(struct devx_eth_types *types)
{
	for (unsigned int i = 0; i < RTE_DIM(types->ptype); i++)
		types->ptype[i] = find_ptype(i);
}

const uint32_t *devx_eth_ptypes_get(bool inner, unsigned int *n)
{
	enum { N_INNER = 6 }; /* at the start of the list */
	static const uint32_t list[] = {
		RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN,
		RTE_PTYPE_INNER_L3_IPV6_EXT_UNKNOWN,
		RTE_PTYPE_INNER_L4_NONFRAG,
		RTE_PTYPE_INNER_L4_FRAG,
		RTE_PTYPE_INNER_L4_TCP,
		RTE_PTYPE_INNER_L4_UDP,
		RTE_PTYPE_L2_ETHER,
		RTE_PTYPE_L3_IPV4_EXT_UNKNOWN,
		RTE_PTYPE_L3_IPV6_EXT_UNKNOWN,
		RTE_PTYPE_L4_NONFRAG,
		RTE_PTYPE_L4_FRAG,
		RTE_PTYPE_L4_TCP,
		RTE_PTYPE_L4_UDP,
		RTE_PTYPE_UNKNOWN,
	};
	const unsigned int first = inner ? 0 : N_INNER;

	*n = RTE_DIM(list) - 1 - first;
	return &list[first];
}
