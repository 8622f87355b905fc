/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "ct.h"
#include "devx_types.h"

enum { FRAG = PRM_CQE_HDR_IP_FRAG, TUNNEL = PRM_CQE_TUNNELED, OUTER6 = PRM_CQE_OUTER_IPV6 };

static uint32_t get_type(uint8_t outer, uint8_t l3, uint8_t l4, uint8_t flags)
{
	static struct devx_eth_types types;
	const struct prm_cqe cqe = {
		.outer_tunnel = outer,
		.l4_l3_hdr_type =
			(uint8_t)(flags | l3 << PRM_CQE_HDR_L3_SHIFT | l4 << PRM_CQE_HDR_L4_SHIFT),
	};

	devx_eth_types_fill(&types);
	return devx_eth_type_get(&types, &cqe);
}

static const struct row {
	const char *name;
	uint8_t outer, l3, l4, flags;
	uint32_t ptype;
} rows[] = {
	{ "no_IP", 0, 0, 0, 0, RTE_PTYPE_L2_ETHER },
	{ "TCP4", 0, PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_TCP },
	{ "TCP4_ack", 0, PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP_EMPTY_ACK, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_TCP },
	{ "TCP4_ack_with_data", 0, PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP_ACK, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_TCP },
	{ "UDP6", 0, PRM_CQE_L3_IPV6, PRM_CQE_L4_UDP, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_UDP },
	{ "IPv4_options", 0, PRM_CQE_L3_IPV4, 0, PRM_CQE_HDR_IP_EXT,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_NONFRAG },
	{ "stripped_VLAN", 0, PRM_CQE_L3_IPV6, 0, PRM_CQE_HDR_CV,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_NONFRAG },
	{ "fragment", 0, PRM_CQE_L3_IPV4, 0, FRAG,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_FRAG },
	{ "first_fragment", 0, PRM_CQE_L3_IPV6, PRM_CQE_L4_UDP, FRAG,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_L4_FRAG },
	{ "UDP_without_IP", 0, 0, PRM_CQE_L4_UDP, 0, RTE_PTYPE_UNKNOWN },
	{ "unknown_L4", 0, PRM_CQE_L3_IPV4, 5, 0, RTE_PTYPE_UNKNOWN },
	{ "UDP4_outer_IPv6_bit", OUTER6, PRM_CQE_L3_IPV4, PRM_CQE_L4_UDP, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP },
	{ "tunnel_without_inner_IP", TUNNEL, 0, 0, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN },
	{ "TCP4_in_IPv4", TUNNEL, PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_TCP },
	{ "UDP6_in_IPv4", TUNNEL, PRM_CQE_L3_IPV6, PRM_CQE_L4_UDP, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV6_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_UDP },
	{ "IPv4_in_IPv6", TUNNEL | OUTER6, PRM_CQE_L3_IPV4, 0, 0,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV4_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_NONFRAG },
	{ "fragment_in_IPv6", TUNNEL | OUTER6, PRM_CQE_L3_IPV6, PRM_CQE_L4_UDP, FRAG,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN | RTE_PTYPE_INNER_L3_IPV6_EXT_UNKNOWN |
		  RTE_PTYPE_INNER_L4_FRAG },
};

TEST_EACH(types, table_has_type_of, struct row, rows)
{
	EXPECT_EQ(row->ptype, get_type(row->outer, row->l3, row->l4, row->flags));
}

/* As many as in the table of DPDK's net_mlx5. */
TEST(types, device_has_83_kinds_of_packets)
{
	static struct devx_eth_types types;
	unsigned int n = 0;

	devx_eth_types_fill(&types);
	for (unsigned int i = 0; i < RTE_DIM(types.ptype); i++)
		n += types.ptype[i] != RTE_PTYPE_UNKNOWN;
	EXPECT_EQ(83, n);
}

TEST(types, ptypes_get_lists_every_type_of_the_table)
{
	static struct devx_eth_types types;
	unsigned int n;
	const uint32_t *list = devx_eth_ptypes_get(true, &n);
	const uint32_t masks[] = { RTE_PTYPE_L2_MASK, RTE_PTYPE_L3_MASK, RTE_PTYPE_L4_MASK,
				   RTE_PTYPE_INNER_L3_MASK, RTE_PTYPE_INNER_L4_MASK };

	devx_eth_types_fill(&types);
	EXPECT_EQ(RTE_PTYPE_UNKNOWN, list[n]);
	for (unsigned int i = 0; i < RTE_DIM(types.ptype); i++)
		for (unsigned int l = 0; l < RTE_DIM(masks); l++) {
			const uint32_t part = types.ptype[i] & masks[l];
			unsigned int k = 0;

			while (k < n && list[k] != part)
				k++;
			if (part)
				EXPECT_LT(k, n);
		}
}

TEST(types, ptypes_get_lists_no_inner_types_for_a_device_without)
{
	unsigned int n, n_all, n_inner = 0;
	const uint32_t *list = devx_eth_ptypes_get(false, &n), *all;

	EXPECT_EQ(RTE_PTYPE_UNKNOWN, list[n]);
	for (unsigned int i = 0; i < n; i++)
		EXPECT_EQ(0, list[i] & (RTE_PTYPE_INNER_L3_MASK | RTE_PTYPE_INNER_L4_MASK));
	all = devx_eth_ptypes_get(true, &n_all);
	for (unsigned int i = 0; i < n_all; i++)
		n_inner += !!(all[i] & (RTE_PTYPE_INNER_L3_MASK | RTE_PTYPE_INNER_L4_MASK));
	EXPECT_EQ(n_all, n + n_inner);
}
