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

static struct rte_mbuf *make_mbuf(struct ct_fix_tso *self, const struct size *row, uint32_t seed)
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
		struct rte_mbuf *m = make_mbuf(self, row, seed);

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

/* A round takes 13 blocks of the ring of 64, so that its end is at every place of a WQE. */
TEST_F(tso, frames_of_many_packets_in_a_burst_keep_their_order)
{
	static const struct size row = { "", TX_IPV4, 2000, 700, 40, 500, false };
	struct rte_mbuf *m[9];

	for (uint32_t round = 0; round < 30; round++) {
		for (uint32_t i = 0; i < RTE_DIM(m); i++)
			m[i] = i % 3 == 1 ? make_mbuf(self, &row, i)
					  : port_rig_make_packet(&self->rig, 300 + i, i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, RTE_DIM(m)));
		for (uint32_t i = 0; i < RTE_DIM(m); i++) {
			struct rte_mbuf *back;

			if (i % 3 == 1) {
				tx_packet_make(&self->packet, &self->rig, row.kind, row.payload, i);
				tx_packet_expect(&self->packet, &self->rig, row.mss, 0, 0);
				continue;
			}
			ASSERT_EQ(1, port_rig_receive(&self->rig, &back, 1));
			port_rig_expect_packet(&self->rig, back, 300 + i, i);
			rte_pktmbuf_free(back);
		}
	}
}

/* The device stands still: the ring takes what it holds, and all of that is sent afterwards. */
TEST_F(tso, a_full_ring_takes_no_packet_and_loses_none)
{
	static const struct size row = { "", TX_IPV4, 100, 50, 0, 2048, false };
	const struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	uint32_t sent = 0;

	NEEDS_EMU("to pause the device");
	for (uint32_t round = 0; round < 5; round++, sent = 0) {
		self->rig.emu->pause();
		for (;;) {
			struct rte_mbuf *m = make_mbuf(self, &row, sent);

			if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1)) {
				rte_pktmbuf_free(m);
				break;
			}
			sent++;
			EXPECT_GE(TX_RING, (uint16_t)(txq->sq.pi - txq->done));
			ASSERT_GE(TX_RING, sent);
		}
		EXPECT_LE(TX_RING / 3, sent); /* 8 segments in 2 or 3 blocks each */
		self->rig.emu->resume();
		for (uint32_t i = 0; i < sent; i++) {
			tx_packet_make(&self->packet, &self->rig, row.kind, row.payload, i);
			tx_packet_expect(&self->packet, &self->rig, row.mss, 0, 0);
		}
	}
}

/* Takes all CQEs by rte_eth_tx_done_cleanup(), so that no burst sees one. */
static bool has_cleaned_up(const struct port_rig *rig, void *arg)
{
	const struct devx_eth_txq *txq = arg;

	EXPECT_LE(0, rte_eth_tx_done_cleanup(rig->port, 0, 0));
	return (uint16_t)(txq->sq.pi - txq->comp_block) == (uint16_t)(txq->sq.pi - txq->done);
}

TEST_F(tso, a_cleanup_makes_room_in_a_full_ring)
{
	static const struct size row = { "", TX_IPV4, 100, 50, 0, 2048, false };
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	uint32_t sent = 0;

	NEEDS_EMU("to pause the device");
	self->rig.emu->pause();
	for (;; sent++) {
		struct rte_mbuf *m = make_mbuf(self, &row, sent);

		if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1)) {
			rte_pktmbuf_free(m);
			break;
		}
	}
	self->rig.emu->resume();
	for (uint32_t i = 0; i < sent; i++) {
		tx_packet_make(&self->packet, &self->rig, row.kind, row.payload, i);
		tx_packet_expect(&self->packet, &self->rig, row.mss, 0, 0);
	}
	EXPECT_TRUE(port_rig_wait_until(has_cleaned_up, &self->rig, txq));
	port_rig_exchange_one(&self->rig, 1);
}

static const struct bad {
	const char *name;
	uint32_t payload;
	uint16_t mss, rest;
	int l4_len, l3_len; /* -1: the right value */
	bool good;
	const char *xstat;
} bads[] = {
	{ "mss_0", 100, 0, 2048, -1, -1, false, "tx_bad_tso_packets" },
	{ "no_layer_4", 100, 50, 2048, 0, -1, false, "tx_bad_tso_packets" },
	{ "no_layer_3", 100, 50, 2048, -1, 0, false, "tx_bad_tso_packets" },
	{ "headers_beyond_the_packet", 3, 50, 2048, 60, -1, false, "tx_bad_tso_packets" },
	{ "headers_beyond_192_bytes", 400, 50, 2048, -1, 200, false, "tx_bad_tso_packets" },
	{ "frame_above_the_MTU", 3000, 1453, 2048, -1, -1, false, "tx_bad_tso_packets" },
	{ "frame_of_the_MTU", 3000, 1452, 2048, -1, -1, true, "tx_bad_tso_packets" },
	{ "most_segments", 48 * 20 - 66, 500, 20, -1, -1, true, "tx_bad_segments_packets" },
	{ "too_many_segments", 48 * 20 - 65, 500, 20, -1, -1, false, "tx_bad_segments_packets" },
};

TEST_F_EACH(tso, impossible_requests_are_refused_and_counted, struct bad, bads)
{
	struct rte_mbuf *m;
	const uint32_t n_frames = row->mss ? (row->payload + row->mss - 1) / row->mss : 0;

	tx_packet_make(&self->packet, &self->rig, TX_IPV4, row->payload, 0);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, 0, row->rest, row->mss);
	m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
	if (row->l4_len >= 0)
		m->l4_len = (uint8_t)row->l4_len;
	if (row->l3_len >= 0)
		m->l3_len = (uint16_t)row->l3_len & 0x1ff;
	rte_errno = 0;
	EXPECT_EQ(row->good, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
	EXPECT_EQ(row->good ? 0 : EINVAL, rte_errno);
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	if (row->good)
		tx_packet_expect(&self->packet, &self->rig, row->mss, 0, 0);
	EXPECT_EQ(!row->good, port_rig_get_xstat(&self->rig, row->xstat));
	EXPECT_EQ(!row->good, port_rig_get_xstat(&self->rig, "tx_errors"));
	EXPECT_EQ(row->good ? n_frames : 0, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") == 1;
}

TEST_F(tso, a_recovery_counts_the_lost_frames)
{
	static const struct size row = { "", TX_IPV4, 3000, 1000, 0, 2048, false };
	const struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	const uint32_t n = TX_RING / 4; /* the last one requests a CQE */

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = make_mbuf(self, &row, i);

		if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1))
			rte_pktmbuf_free(m);
	}
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_lost_packets") % 3);
	EXPECT_LE(3, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(port_rig_get_xstat(&self->rig, "tx_lost_packets"),
		  port_rig_get_xstat(&self->rig, "tx_good_packets"));
	port_rig_exchange_one(&self->rig, 9);
}

/* ---- VLAN insertion ------------------------------------------------------------------- */

static const struct tag {
	const char *name;
	bool by_device;
	uint16_t tpid;
} tags[] = {
	{ "C_tag_by_the_device", true, RTE_ETHER_TYPE_VLAN },
	{ "S_tag_by_the_device", true, RTE_ETHER_TYPE_QINQ },
	{ "C_tag_in_the_WQE", false, RTE_ETHER_TYPE_VLAN },
	{ "S_tag_in_the_WQE", false, RTE_ETHER_TYPE_QINQ },
};

/* Sends tagged and untagged packets in one burst, of one segment and of several. */
TEST_F_EACH(tso, only_requested_packets_get_a_tag, struct tag, tags)
{
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	static uint8_t frame[TX_FRAMES_MAX];
	struct rte_mbuf *m[12];

	ASSERT_EQ(0, rte_eth_dev_set_vlan_ether_type(self->rig.port, RTE_ETH_VLAN_TYPE_OUTER,
						     row->tpid));
	if (!row->by_device)
		txq->insert_type = 0; /* as on a device without wqe_vlan_insert */
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t i = 0; i < RTE_DIM(m); i++) {
			tx_packet_make(&self->packet, &self->rig, TX_IPV4, 100 + i, round);
			m[i] = tx_packet_to_mbuf(&self->packet, &self->rig, 0, i % 4 ? 2048 : 30,
						 0);
			m[i]->ol_flags |= i % 3 ? RTE_MBUF_F_TX_VLAN : 0;
			m[i]->vlan_tci = (uint16_t)(TCI + i);
		}
		EXPECT_EQ(RTE_DIM(m), rte_eth_tx_prepare(self->rig.port, 0, m, RTE_DIM(m)));
		ASSERT_TRUE(port_rig_send(&self->rig, m, RTE_DIM(m)));
		for (uint32_t i = 0; i < RTE_DIM(m); i++) {
			uint32_t n;

			tx_packet_make(&self->packet, &self->rig, TX_IPV4, 100 + i, round);
			n = tx_packet_cut(&self->packet, 0, 0, frame);
			if (i % 3)
				n = tx_frame_insert_tag(frame, n, row->tpid, (uint16_t)(TCI + i));
			tx_frames_expect(&self->rig, frame, n);
		}
	}
}

TEST_F(tso, other_tags_are_refused)
{
	const uint16_t port = self->rig.port;

	EXPECT_EQ(-EINVAL, rte_eth_dev_set_vlan_ether_type(port, RTE_ETH_VLAN_TYPE_OUTER, 0x9100));
	EXPECT_SUBSTR("TPID 0x9100 is invalid", port_rig_read_log());
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_set_vlan_ether_type(port, RTE_ETH_VLAN_TYPE_INNER,
							    RTE_ETHER_TYPE_VLAN));
	EXPECT_SUBSTR("a packet gets one tag", port_rig_read_log());
}

/* ---- checksums in tunnels ---------------------------------------------------------------- */

static const struct tunnel {
	const char *name;
	enum tx_kind kind;
} tunnels[] = {
	{ "vxlan", TX_VXLAN_IPV4 },
	{ "vxlan_ipv6", TX_VXLAN_IPV6 },
	{ "gre", TX_GRE_IPV4 },
};

TEST_F_EACH(tso, checksums_in_tunnels_are_right, struct tunnel, tunnels)
{
	static uint8_t frame[TX_FRAMES_MAX];
	struct rte_mbuf *m[8];

	for (uint32_t i = 0; i < RTE_DIM(m); i++) { /* alternates between tunnels and others */
		tx_packet_make(&self->packet, &self->rig, i % 3 ? row->kind : TX_IPV4, 200, i);
		m[i] = tx_packet_to_mbuf(&self->packet, &self->rig, 0, 2048, 0);
	}
	EXPECT_EQ(RTE_DIM(m), rte_eth_tx_prepare(self->rig.port, 0, m, RTE_DIM(m)));
	ASSERT_TRUE(port_rig_send(&self->rig, m, RTE_DIM(m)));
	for (uint32_t i = 0; i < RTE_DIM(m); i++) {
		tx_packet_make(&self->packet, &self->rig, i % 3 ? row->kind : TX_IPV4, 200, i);
		tx_frames_expect(&self->rig, frame, tx_packet_cut(&self->packet, 0, 0, frame));
	}
}
