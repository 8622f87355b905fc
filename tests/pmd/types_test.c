/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>

#include "ct.h"
#include "devx_types.h"

static struct devx_eth_type get_type(bool csum, uint8_t l3, uint8_t l4, uint8_t flags, uint8_t ok)
{
	static struct devx_eth_types types;
	const struct prm_cqe cqe = {
		.l4_l3_hdr_type =
			(uint8_t)(flags | l3 << PRM_CQE_HDR_L3_SHIFT | l4 << PRM_CQE_HDR_L4_SHIFT),
		.hds_ip_ext = ok,
	};

	devx_eth_types_fill(&types, csum);
	return *devx_eth_type_get(&types, &cqe);
}

static const struct row {
	const char *name;
	uint8_t l3, l4, flags, ok;
	uint32_t ptype;
	uint64_t ol_flags;
} rows[] = {
	{ "no_IP", 0, 0, 0, PRM_CQE_L2_OK, RTE_PTYPE_L2_ETHER, 0 },
	{ "TCP4", PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP, 0, PRM_CQE_L3_OK | PRM_CQE_L4_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_TCP,
	  RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
	{ "TCP4_ack", PRM_CQE_L3_IPV4, PRM_CQE_L4_TCP_EMPTY_ACK, 0, PRM_CQE_L3_OK | PRM_CQE_L4_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_TCP,
	  RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
	{ "UDP4_bad_IP", PRM_CQE_L3_IPV4, PRM_CQE_L4_UDP, 0, PRM_CQE_L4_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP,
	  RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_GOOD },
	{ "UDP6", PRM_CQE_L3_IPV6, PRM_CQE_L4_UDP, 0, PRM_CQE_L3_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6 | RTE_PTYPE_L4_UDP, RTE_MBUF_F_RX_L4_CKSUM_BAD },
	{ "IPv4_options", PRM_CQE_L3_IPV4, 0, PRM_CQE_HDR_IP_EXT, PRM_CQE_L3_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT, RTE_MBUF_F_RX_IP_CKSUM_GOOD },
	{ "fragment", PRM_CQE_L3_IPV4, 0, PRM_CQE_HDR_IP_FRAG, PRM_CQE_L3_OK,
	  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_FRAG, RTE_MBUF_F_RX_IP_CKSUM_GOOD },
};

TEST_EACH(types, table_has_type_and_flags_of, struct row, rows)
{
	struct devx_eth_type t = get_type(true, row->l3, row->l4, row->flags, row->ok);

	EXPECT_EQ(row->ptype, t.ptype);
	EXPECT_EQ(row->ol_flags, t.ol_flags);
	t = get_type(false, row->l3, row->l4, row->flags, row->ok);
	EXPECT_EQ(row->ptype, t.ptype);
	EXPECT_EQ(0, t.ol_flags);
}

TEST(types, ptypes_get_lists_every_type_of_the_table)
{
	static struct devx_eth_types types;
	unsigned int n;
	const uint32_t *list = devx_eth_ptypes_get(&n);
	const uint32_t masks[] = { RTE_PTYPE_L2_MASK, RTE_PTYPE_L3_MASK, RTE_PTYPE_L4_MASK };

	devx_eth_types_fill(&types, true);
	EXPECT_EQ(RTE_PTYPE_UNKNOWN, list[n]);
	for (unsigned int i = 0; i < RTE_DIM(types.of); i++)
		for (unsigned int l = 0; l < RTE_DIM(masks); l++) {
			const uint32_t part = types.of[i].ptype & masks[l];
			unsigned int k = 0;

			while (k < n && list[k] != part)
				k++;
			if (part)
				EXPECT_LT(k, n);
		}
}
