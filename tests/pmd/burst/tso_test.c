/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_errno.h>

#include "burst/tx_frames.h"
#include "devx_txq.h"

/* TSO, also in tunnels and with VLAN insertion: every byte on the wire, and what is counted. */

#define ALL                                                                                        \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO |                        \
	 RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO |                       \
	 RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

enum { TX_RING = 64, TCI = 0x6123 };

FIXTURE(tso)
{
	struct port_rig rig;
	struct tx_packet packet;
	uint64_t offloads; /* those of ALL that the device has */
};
FIXTURE_SETUP(tso)
{
	struct rte_eth_dev_info info;
	struct port_rig_config config = { .n_tx_desc = TX_RING };

	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	config.eth.txmode.offloads = self->offloads = ALL & info.tx_offload_capa;
	EXPECT_TRUE(self->offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(tso)
{
	port_rig_down(&self->rig);
}

static const struct size {
	const char *name;
	enum tx_kind kind;
	uint32_t payload;
	uint16_t mss;
	uint16_t first; /* bytes in each of the first two mbufs */
	uint16_t rest;
	bool vlan;
} sizes[] = {
	{ "one_segment", TX_IPV4, 900, 1000, 0, 2048, false },
	{ "one_full_segment", TX_IPV4, 1000, 1000, 0, 2048, false },
	{ "headers_only", TX_IPV4, 0, 1000, 0, 2048, false },
	{ "exact_multiple", TX_IPV4, 4000, 1000, 0, 2048, false },
	{ "one_byte_more", TX_IPV4, 4001, 1000, 0, 2048, false },
	{ "64_KiB", TX_IPV4, 65535 - 52, 1448, 0, 2048, false },
	{ "short_segments", TX_IPV4, 100, 1, 0, 2048, false },
	{ "headers_in_three_mbufs", TX_IPV4, 3000, 700, 20, 900, false },
	{ "headers_in_an_mbuf_of_their_own", TX_IPV4, 3000, 700, 33, 1000, false },
	{ "ipv6", TX_IPV6, 5000, 1400, 0, 2048, false },
	{ "ipv6_headers_in_three_mbufs", TX_IPV6, 5000, 1400, 27, 700, false },
	{ "vlan", TX_IPV4, 5000, 1400, 0, 2048, true },
	{ "vlan_headers_in_three_mbufs", TX_IPV6, 5000, 1400, 10, 2048, true },
	{ "vxlan", TX_VXLAN_IPV4, 5000, 1300, 0, 2048, false },
	{ "vxlan_ipv6", TX_VXLAN_IPV6, 5000, 1300, 50, 1000, false },
	{ "vxlan_vlan", TX_VXLAN_IPV4, 5000, 1300, 0, 2048, true },
	{ "gre", TX_GRE_IPV4, 5000, 1300, 0, 2048, false },
};

static struct rte_mbuf *make(struct ct_fix_tso *self, const struct size *row, uint32_t seed)
{
	struct rte_mbuf *m;

	tx_packet_make(&self->packet, &self->rig, row->kind, row->payload, seed);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, row->first, row->rest, row->mss);
	if (m && row->vlan) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = TCI;
	}
	return m;
}

TEST_F_EACH(tso, every_byte_of_all_segments_is_right, struct size, sizes)
{
	struct rte_eth_stats stats;
	uint64_t frames = 0, bytes = 0;

	if (row->kind >= TX_VXLAN_IPV4 && !(self->offloads & RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO))
		SKIP("the device has no offloads in tunnels");
	for (uint32_t seed = 0; seed < 12; seed++) { /* the ring wraps inside headers */
		static uint8_t frame[TX_FRAMES_MAX];
		struct rte_mbuf *m = make(self, row, seed);

		ASSERT_NE(NULL, m);
		EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		tx_packet_expect(&self->packet, &self->rig, row->mss,
				 row->vlan ? RTE_ETHER_TYPE_VLAN : 0, TCI);
		for (uint32_t i = 0; i < tx_packet_count(&self->packet, row->mss); i++, frames++)
			bytes += tx_packet_cut(&self->packet, row->mss, i, frame) +
				 (row->vlan ? RTE_VLAN_HLEN : 0);
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(frames, stats.opackets);
	EXPECT_EQ(bytes, stats.obytes);
	EXPECT_EQ(0, stats.oerrors);
}
