/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/tx_frames.h"
#include "devx_txq.h"

/*
 * Send bursts with BlueFlame, and on devices without multi-packet WQEs or VLAN insertion: TSO, VLAN
 * tags and packets of several segments. Every byte on the wire is compared.
 */

#define SUMS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM)
#define TAGS (SUMS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define TSO                                                                                        \
	(TAGS | RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM |                 \
	 RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO)

#define PLAIN "ibdev=mlx5_0"
#define INLINE "ibdev=mlx5_0,inline=900"
#define BF "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1"

enum { TX_RING = 64, TCI = 0x7001, UNTAGGED_MAX = 1000 };
enum { ROUNDS = 30, ROUNDS_IN_GUEST = 2 }; /* a guest sends a hundred times slower */

FIXTURE(tx_variant)
{
	struct port_rig rig;
	struct tx_packet packet;
	struct devx_eth_txq *txq;
	bool tso;
};
FIXTURE_SETUP(tx_variant)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(tx_variant)
{
	port_rig_down(&self->rig);
}

/** struct variant - a port; @no_empw, @no_insert: its device lacks this capability */
static const struct variant {
	const char *name, *args;
	uint64_t offloads;
	bool no_empw, no_insert;
	const char *mode;
} variants[] = {
	{ "BlueFlame_and_TSO", BF, TSO, false, false,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ "BlueFlame_and_VLAN", BF, TAGS, false, false,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ "BlueFlame_and_tags_in_the_WQE", BF, TSO, false, true,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ "BlueFlame_without_multi_packet_WQEs", BF, TSO, true, false,
	  "WQE per packet, BlueFlame, pointers, checksums, segments, VLAN, TSO" },
	{ "no_multi_packet_WQEs", PLAIN, TSO, true, false,
	  "WQE per packet, pointers, checksums, segments, VLAN, TSO" },
	{ "no_multi_packet_WQEs_and_VLAN", PLAIN, TAGS, true, true,
	  "WQE per packet, pointers, checksums, segments, VLAN, TSO" },
	{ "VLAN_in_the_WQE", PLAIN, TAGS, false, true,
	  "multi-packet WQE, pointers, checksums, segments, VLAN" },
	{ "TSO_and_VLAN_in_the_WQE", PLAIN, TSO, false, true,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO" },
	{ "inline_and_TSO", INLINE, TSO, false, false,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO, inline up to 900 bytes" },
	{ "inline_and_tags_in_the_WQE", INLINE, TAGS, false, true,
	  "multi-packet WQE, pointers, checksums, segments, VLAN, TSO, inline up to 900 bytes" },
	{ "inline_and_BlueFlame", BF ",inline=900", TSO, false, false,
	  "multi-packet WQE or BlueFlame, pointers, checksums, segments, VLAN, TSO, inline up to "
	  "900 bytes" },
	{ "inline_without_multi_packet_WQEs", INLINE, TSO, true, false,
	  "WQE per packet, pointers, checksums, segments, VLAN, TSO" },
};

static void start_variant(struct ct_fix_tx_variant *self, const struct variant *v)
{
	const struct port_rig_config config = { .n_tx_desc = TX_RING,
						.eth.txmode.offloads = v->offloads };
	struct rte_eth_burst_mode mode;
	struct devx_caps *caps;

	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, v->args);
	caps = &devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.caps;
	caps->enhanced_multi_pkt_send_wqe &= !v->no_empw;
	caps->wqe_vlan_insert &= !v->no_insert;
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ(v->mode, mode.info);
	self->txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	EXPECT_EQ(caps->wqe_vlan_insert, self->txq->insert_type != 0);
	self->tso = v->offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO;
}

static const struct shape {
	const char *name;
	enum tx_kind kind;
	uint32_t payload;
	uint16_t mss;
	uint16_t first, rest; /* bytes in each of the first two mbufs, and in each other one */
	bool tag;
} shapes[] = {
	{ "plain", TX_IPV4, 100, 0, 0, 2048, false },
	{ "tag", TX_IPV4, 100, 0, 0, 2048, true },
	{ "tag_longest", TX_IPV6, 1514 - 86, 0, 0, 2048, true },
	{ "tag_three_mbufs", TX_IPV4, 300, 0, 100, 2048, true },
	{ "tag_addresses_in_three_mbufs", TX_IPV4, 300, 0, 5, 2048, true },
	{ "segments", TX_IPV4, 900, 0, 60, 30, false },
	{ "tso", TX_IPV4, 2500, 800, 0, 2048, false },
	{ "tso_tag", TX_IPV4, 2500, 800, 0, 2048, true },
	{ "tso_tag_longest", TX_IPV4, 3000, 1448, 0, 2048, true },
	{ "tso_headers_in_three_mbufs", TX_IPV6, 2500, 700, 30, 2048, true },
	{ "tso_longer_than_the_BlueFlame_buffer", TX_IPV4, 4000, 1000, 50, 110, true },
	{ "tso_vxlan_tag", TX_VXLAN_IPV4, 2500, 800, 0, 2048, true },
	{ "last", TX_IPV4, 3, 0, 0, 2048, false },
};

/* Without TSO a shape with TSO becomes one packet of ordinary length. */
static uint16_t get_mss(const struct ct_fix_tx_variant *self, const struct shape *s)
{
	return self->tso ? s->mss : 0;
}

static bool has_tunnel(const struct shape *s)
{
	return s->kind >= TX_VXLAN_IPV4;
}

static void make_packet(struct ct_fix_tx_variant *self, const struct shape *s, uint32_t seed)
{
	const bool one = s->mss && !self->tso;

	tx_packet_make(&self->packet, &self->rig, one && has_tunnel(s) ? TX_IPV4 : s->kind,
		       one ? UNTAGGED_MAX : s->payload, seed);
}

static struct rte_mbuf *make_mbuf(struct ct_fix_tx_variant *self, const struct shape *s,
				  uint32_t seed)
{
	struct rte_mbuf *m;

	make_packet(self, s, seed);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, s->first, s->rest, get_mss(self, s));
	if (m && s->tag) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = (uint16_t)(TCI + seed);
	}
	return m;
}

static void expect_frames(struct ct_fix_tx_variant *self, const struct shape *s, uint32_t seed)
{
	make_packet(self, s, seed);
	tx_packet_expect(&self->packet, &self->rig, get_mss(self, s),
			 s->tag ? RTE_ETHER_TYPE_VLAN : 0, (uint16_t)(TCI + seed));
}

/* A burst of one packet is what BlueFlame copies. The ring of 64 blocks wraps in every shape. */
TEST_F_EACH(tx_variant, every_byte_of_single_packets_is_right, struct variant, variants)
{
	const uint32_t rounds = self->rig.emu ? ROUNDS : ROUNDS_IN_GUEST;

	start_variant(self, row);
	for (uint32_t seed = 0; seed < rounds; seed++)
		FOR_EACH_ROW (s, shapes) {
			struct rte_mbuf *m = make_mbuf(self, s, seed);

			ASSERT_NE(NULL, m);
			EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
			ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
			expect_frames(self, s, seed);
		}
	EXPECT_LE(rounds * RTE_DIM(shapes), port_rig_get_xstat(&self->rig, "tx_good_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}

/* Each burst begins with another shape, so that each of them follows each other one. */
TEST_F_EACH(tx_variant, every_byte_of_a_mixed_burst_is_right, struct variant, variants)
{
	enum { N = sizeof(shapes) / sizeof(shapes[0]) };
	const uint32_t rounds = self->rig.emu ? 3 * N : ROUNDS_IN_GUEST;
	struct rte_mbuf *m[N];

	start_variant(self, row);
	for (uint32_t round = 0; round < rounds; round++) {
		for (uint32_t i = 0; i < N; i++) {
			m[i] = make_mbuf(self, &shapes[(i * (1 + round / N) + round) % N], i);
			ASSERT_NE(NULL, m[i]);
		}
		EXPECT_EQ(N, rte_eth_tx_prepare(self->rig.port, 0, m, N));
		ASSERT_TRUE(port_rig_send(&self->rig, m, N));
		for (uint32_t i = 0; i < N; i++)
			expect_frames(self, &shapes[(i * (1 + round / N) + round) % N], i);
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}
