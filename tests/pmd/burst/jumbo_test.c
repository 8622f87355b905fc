/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/tx_frames.h"
#include "devx_port.h"

/* Frames of the largest MTU, sent from one mbuf and from many: every byte at the receiver. */

#define OFFLOADS                                                                                   \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

enum {
	MTU = 9978,
	FRAME_MAX = MTU + DEVX_ETH_OVERHEAD, /* with a VLAN tag */
	HEADERS = 66,                        /* Ethernet, IPv4, TCP with options */
	N_BIG = 255,
	BIG = 16000,
	TCI = 0x2abc,
};

FIXTURE(jumbo)
{
	struct port_rig rig;
	struct rte_mempool *big; /* a frame in one mbuf */
	struct tx_packet packet;
};
FIXTURE_SETUP(jumbo)
{
	struct rte_eth_dev_info info;

	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	if (info.max_mtu < MTU)
		SKIP("the MTU of the port is %u; run devx-emu with --mtu %d", info.max_mtu, MTU);
	self->big = rte_pktmbuf_pool_create("big", N_BIG, 0, 0, RTE_PKTMBUF_HEADROOM + BIG, 0);
	ASSERT_NE(NULL, self->big);
}
FIXTURE_TEARDOWN(jumbo)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->big);
}

TEST_F(jumbo, mtu_after_probe_is_that_of_the_device)
{
	uint16_t mtu = 0;

	if (self->rig.has_netdev)
		SKIP("the MTU is that of the network interface (netdev_link_test.c)");
	EXPECT_EQ(0, rte_eth_dev_get_mtu(self->rig.port, &mtu));
	EXPECT_EQ(MTU, mtu);
}

static const struct variant {
	const char *name, *args;
	uint64_t offloads;
} variants[] = {
	{ "checksums", "ibdev=mlx5_0", OFFLOADS },
	{ "VLAN", "ibdev=mlx5_0", OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT },
	{ "TSO", "ibdev=mlx5_0",
	  OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_TCP_TSO },
	{ "BlueFlame", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1",
	  OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_TCP_TSO },
};

static void start_variant(struct ct_fix_jumbo *self, const struct variant *v)
{
	const struct port_rig_config config = {
		.eth.rxmode = { .mtu = MTU, .offloads = RTE_ETH_RX_OFFLOAD_SCATTER },
		.eth.txmode.offloads = v->offloads,
	};

	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, v->args);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

static const struct shape {
	const char *name;
	uint32_t bytes;       /* length of the packet */
	uint16_t first, rest; /* bytes in each of the first two mbufs, and in each other one */
	uint16_t mss;
	bool tag;
} shapes[] = {
	{ "one_mbuf_of_9978", 9978, 0, BIG, 0, false },
	{ "one_mbuf_of_the_MTU", MTU + RTE_ETHER_HDR_LEN, 0, BIG, 0, false },
	{ "one_mbuf_and_a_tag", FRAME_MAX - RTE_VLAN_HLEN, 0, BIG, 0, true },
	{ "longest_frame", FRAME_MAX, 0, BIG, 0, false },
	{ "two_mbufs_of_9978", 9978, 0, 9000, 0, false },
	{ "headers_in_three_mbufs", 9978, 20, BIG, 0, false },
	{ "five_mbufs_of_9978", 9978, 0, 2048, 0, false },
	{ "40_mbufs_of_9978", 9978, 0, 250, 0, false },
	{ "40_mbufs_and_a_tag", FRAME_MAX - RTE_VLAN_HLEN, 7, 260, 0, true },
	{ "tso_of_64_KiB", 65535, 0, BIG, 9000, false },
	{ "tso_longest_frames", 40000, 30, 5000, FRAME_MAX - HEADERS, false },
	{ "tso_longest_frames_and_a_tag", 40000, 0, 2048, FRAME_MAX - HEADERS - RTE_VLAN_HLEN,
	  true },
	{ "short", 100, 0, BIG, 0, false },
};

static bool is_supported(const struct variant *v, const struct shape *s)
{
	return (!s->tag || v->offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) &&
	       (!s->mss || v->offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO);
}

static struct rte_mbuf *make_mbuf(struct ct_fix_jumbo *self, const struct shape *s, uint32_t seed)
{
	struct port_rig from_big = self->rig;
	struct rte_mbuf *m;

	from_big.pool = self->big;
	tx_packet_make(&self->packet, &self->rig, TX_IPV4, s->bytes - HEADERS, seed);
	m = tx_packet_to_mbuf(&self->packet, &from_big, s->first, s->rest, s->mss);
	if (m && s->tag) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = TCI;
	}
	return m;
}

static void expect_frames(struct ct_fix_jumbo *self, const struct shape *s, uint32_t seed)
{
	tx_packet_make(&self->packet, &self->rig, TX_IPV4, s->bytes - HEADERS, seed);
	tx_packet_expect(&self->packet, &self->rig, s->mss, s->tag ? RTE_ETHER_TYPE_VLAN : 0, TCI);
}

TEST_F_EACH(jumbo, every_byte_of_long_frames_arrives, struct variant, variants)
{
	const uint32_t rounds = self->rig.emu ? 5 : 1; /* a guest is slow */

	start_variant(self, row);
	for (uint32_t seed = 0; seed < rounds; seed++)
		FOR_EACH_ROW (s, shapes) {
			struct rte_mbuf *m;

			if (!is_supported(row, s))
				continue;
			m = make_mbuf(self, s, seed);
			ASSERT_NE(NULL, m);
			EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
			ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
			expect_frames(self, s, seed);
		}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}

/* Frames of one mbuf share multi-packet WQEs, where the device has them. */
TEST_F_EACH(jumbo, every_byte_of_a_burst_of_long_frames_arrives, struct variant, variants)
{
	enum { N = 24 };
	const uint32_t rounds = self->rig.emu ? 4 : 1;
	struct rte_mbuf *m[N];

	start_variant(self, row);
	for (uint32_t round = 0; round < rounds; round++) {
		for (uint32_t i = 0; i < N; i++) {
			m[i] = make_mbuf(self, &shapes[i % 7 == 6 ? 6 : i % 2], i);
			ASSERT_NE(NULL, m[i]);
		}
		ASSERT_TRUE(port_rig_send(&self->rig, m, N));
		for (uint32_t i = 0; i < N; i++)
			expect_frames(self, &shapes[i % 7 == 6 ? 6 : i % 2], i);
	}
}

TEST_F_EACH(jumbo, frame_that_is_one_byte_too_long_is_refused, struct variant, variants)
{
	static const struct shape longer[] = {
		{ "one_mbuf", FRAME_MAX + 1, 0, BIG, 0, false },
		{ "five_mbufs", FRAME_MAX + 1, 0, 2048, 0, false },
		{ "tag", FRAME_MAX - RTE_VLAN_HLEN + 1, 0, BIG, 0, true },
	};
	uint64_t refused = 0;

	start_variant(self, row);
	FOR_EACH_ROW (s, longer) {
		struct rte_mbuf *m;

		if (!is_supported(row, s))
			continue;
		m = make_mbuf(self, s, 0);
		EXPECT_EQ(0, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		refused++;
	}
	EXPECT_EQ(refused, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}
