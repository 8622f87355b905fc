/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ip.h>
#include <rte_tcp.h>

#include "burst/tx_frames.h"
#include "devx_txq.h"

/*
 * Each checksum is requested alone and with others: the device must compute those that the packet
 * requests, and leave the others as they are. A driver that exchanges two bits passes every test
 * that requests both checksums.
 */

#define SUMS                                                                                       \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define TSO                                                                                        \
	(SUMS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_TCP_TSO |                      \
	 RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO)
#define REQUESTS (RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)

FIXTURE(checksum)
{
	struct port_rig rig;
	struct tx_packet packet;
	struct devx_eth_txq *txq;
};
FIXTURE_SETUP(checksum)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(checksum)
{
	port_rig_down(&self->rig);
}

/** struct request - checksums that a packet requests; @cs_flags: those of its WQE */
static const struct request {
	const char *name;
	enum tx_kind kind;
	bool outer, ip, tcp;
	uint8_t cs_flags;
} requests[] = {
	{ "none", TX_IPV4, false, false, false, 0 },
	{ "IP", TX_IPV4, false, true, false, PRM_ETH_CS_L3 },
	{ "TCP", TX_IPV4, false, false, true, PRM_ETH_CS_L4 },
	{ "IP_TCP", TX_IPV4, false, true, true, PRM_ETH_CS_L3 | PRM_ETH_CS_L4 },
	{ "TCP_IPv6", TX_IPV6, false, false, true, PRM_ETH_CS_L4 },
	{ "tunnel_none", TX_VXLAN_IPV4, false, false, false, 0 },
	{ "tunnel_outer", TX_VXLAN_IPV4, true, false, false, PRM_ETH_CS_L3 },
	{ "tunnel_IP", TX_VXLAN_IPV4, false, true, false, PRM_ETH_CS_INNER_L3 },
	{ "tunnel_TCP", TX_VXLAN_IPV4, false, false, true, PRM_ETH_CS_INNER_L4 },
	{ "tunnel_outer_TCP", TX_VXLAN_IPV4, true, false, true,
	  PRM_ETH_CS_L3 | PRM_ETH_CS_INNER_L4 },
	{ "tunnel_IP_TCP", TX_VXLAN_IPV4, false, true, true,
	  PRM_ETH_CS_INNER_L3 | PRM_ETH_CS_INNER_L4 },
	{ "tunnel_outer_IP", TX_VXLAN_IPV4, true, true, false,
	  PRM_ETH_CS_L3 | PRM_ETH_CS_INNER_L3 },
	{ "tunnel_TCP_IPv6", TX_VXLAN_IPV6, false, false, true, PRM_ETH_CS_INNER_L4 },
	{ "GRE_outer", TX_GRE_IPV4, true, false, false, PRM_ETH_CS_L3 },
	{ "GRE_all", TX_GRE_IPV4, true, true, true,
	  PRM_ETH_CS_L3 | PRM_ETH_CS_INNER_L3 | PRM_ETH_CS_INNER_L4 },
};

static const struct variant {
	const char *name, *args;
	uint64_t offloads;
} variants[] = {
	{ "multi", "ibdev=mlx5_0,tx_burst=multi", SUMS },
	{ "multi_TSO", "ibdev=mlx5_0,tx_burst=multi", TSO },
	{ "single", "ibdev=mlx5_0,tx_burst=single", SUMS },
	{ "single_TSO", "ibdev=mlx5_0,tx_burst=single", TSO },
	{ "BlueFlame", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1", SUMS },
	{ "BlueFlame_TSO", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1", TSO },
	{ "inline", "ibdev=mlx5_0,inline=400", SUMS },
	{ "inline_TSO", "ibdev=mlx5_0,inline=400", TSO },
};

static void start_variant(struct ct_fix_checksum *self, const struct variant *v)
{
	const struct port_rig_config config = { .n_tx_desc = 64,
						.eth.txmode.offloads = v->offloads };

	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, v->args);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
}

static void make_packet(struct ct_fix_checksum *self, const struct request *r, uint32_t seed)
{
	tx_packet_make(&self->packet, &self->rig, r->kind, 1 + seed % 50, seed);
}

static struct rte_mbuf *make_mbuf(struct ct_fix_checksum *self, const struct request *r,
				  uint32_t seed)
{
	struct rte_mbuf *m;

	make_packet(self, r, seed);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, 0, 2048, 0);
	m->ol_flags &= ~REQUESTS;
	m->ol_flags |= (r->outer ? RTE_MBUF_F_TX_OUTER_IP_CKSUM : 0) |
		       (r->ip ? RTE_MBUF_F_TX_IP_CKSUM : 0) |
		       (r->tcp ? RTE_MBUF_F_TX_TCP_CKSUM : 0);
	return m;
}

/* Writes the wrong checksum of the packet at @at back, if the packet does not request this one. */
static void keep_unless(bool requested, uint8_t *frame, const struct tx_packet *p, size_t at)
{
	if (!requested)
		memcpy(frame + at, p->bytes + at, sizeof(uint16_t));
}

static void expect_frame(struct ct_fix_checksum *self, const struct request *r, uint32_t seed)
{
	const size_t ip_sum = offsetof(struct rte_ipv4_hdr, hdr_checksum);
	const struct tx_packet *p = &self->packet;
	static uint8_t frame[TX_FRAMES_MAX];
	uint32_t n;

	SCOPED_TRACE("%s, packet %u", r->name, seed);
	make_packet(self, r, seed);
	n = tx_packet_cut(p, 0, 0, frame); /* with all checksums */
	if (p->outer_l3)
		keep_unless(r->outer, frame, p, p->outer_l3 + ip_sum);
	if (p->ol_flags & RTE_MBUF_F_TX_IPV4)
		keep_unless(r->ip, frame, p, p->l3 + ip_sum);
	keep_unless(r->tcp, frame, p, p->l4 + offsetof(struct rte_tcp_hdr, cksum));
	tx_frames_expect(&self->rig, frame, n);
}

TEST_F_EACH(checksum, WQE_requests_what_its_packet_requests, struct variant, variants)
{
	uint32_t seed = 0;

	start_variant(self, row);
	FOR_EACH_ROW (r, requests) {
		struct rte_mbuf *m = make_mbuf(self, r, ++seed);
		const struct devx_wqebb *wqe = devx_sq_get_wqebb(&self->txq->sq, self->txq->sq.pi);
		const struct prm_eth_seg *eth = (const void *)(wqe->bytes + PRM_DS_BYTES);

		SCOPED_TRACE("%s", r->name);
		EXPECT_EQ(1, rte_eth_tx_prepare(self->rig.port, 0, &m, 1));
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		EXPECT_EQ(r->cs_flags, eth->cs_flags);
		expect_frame(self, r, seed);
	}
}

/* Packets with the same requests share a WQE; the next packet with others begins a new one. */
TEST_F_EACH(checksum, every_packet_of_a_burst_has_its_own_requests, struct variant, variants)
{
	enum { N = 2 * RTE_DIM(requests) };
	struct rte_mbuf *m[N];

	start_variant(self, row);
	for (unsigned int alike = 1; alike <= 5; alike++) {
		SCOPED_TRACE("%u packets alike", alike);
		for (uint32_t i = 0; i < N; i++)
			m[i] = make_mbuf(self, &requests[i / alike % RTE_DIM(requests)], i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, N));
		for (uint32_t i = 0; i < N; i++)
			expect_frame(self, &requests[i / alike % RTE_DIM(requests)], i);
	}
}
