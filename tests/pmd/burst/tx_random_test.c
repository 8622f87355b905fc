/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_cycles.h>

#include "burst/tx_frames.h"
#include "devx_txq.h"

/*
 * Random packets of all kinds in random bursts, while cleanups, pauses of the device and stops of
 * the queue happen: every frame arrives, in order, with every byte.
 */

#define ALL                                                                                        \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |                    \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
#define TSO                                                                                        \
	(RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO |                           \
	 RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO)

enum { N_STEPS = 400, TIMEOUT_S = 30, N_WAITING = 64, BURST_MAX = 20, TCI = 0x4321 };

/* A packet whose frames have not all arrived. */
struct sent {
	enum tx_kind kind;
	uint32_t payload, seed;
	uint16_t mss;
	bool vlan;
};

FIXTURE(tx_random)
{
	struct port_rig rig;
	struct tx_packet packet;
	uint64_t state; /* state of the random numbers */
	uint64_t n_frames;
	struct sent waiting[N_WAITING];
	uint32_t first, end; /* indices of @waiting, free-running */
};
FIXTURE_SETUP(tx_random)
{
	port_rig_probe(&self->rig);
	self->state = 1;
}
FIXTURE_TEARDOWN(tx_random)
{
	port_rig_down(&self->rig);
}

/* Returns a number below @n. */
static uint32_t draw_number(struct ct_fix_tx_random *self, uint32_t n)
{
	self->state = self->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(self->state >> 33) % n;
}

static struct rte_mbuf *make_random(struct ct_fix_tx_random *self, bool tso, struct sent *s)
{
	const uint16_t room[] = { 2048, 2048, 200, 60, 35 };
	const uint16_t rest = room[draw_number(self, RTE_DIM(room))];
	struct rte_mbuf *m;

	*s = (struct sent){
		.kind = draw_number(self, TX_N_KINDS),
		.payload = draw_number(self, 1000),
		.seed = draw_number(self, 1000),
		.mss = tso && !draw_number(self, 3) ? (uint16_t)(200 + draw_number(self, 1000)) : 0,
		.vlan = !draw_number(self, 4),
	};
	tx_packet_make(&self->packet, &self->rig, s->kind, s->payload, s->seed);
	m = tx_packet_to_mbuf(&self->packet, &self->rig, draw_number(self, 3) ? 0 : 13, rest,
			      s->mss);
	if (m && s->vlan) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = TCI;
	}
	return m;
}

static void receive_waiting(struct ct_fix_tx_random *self)
{
	for (; self->first != self->end; self->first++) {
		const struct sent *s = &self->waiting[self->first % N_WAITING];

		tx_packet_make(&self->packet, &self->rig, s->kind, s->payload, s->seed);
		tx_packet_expect(&self->packet, &self->rig, s->mss,
				 s->vlan ? RTE_ETHER_TYPE_VLAN : 0, TCI);
		self->n_frames += tx_packet_count(&self->packet, s->mss);
	}
}

/* Sends up to BURST_MAX packets; the ring need not take all. */
static void send_random(struct ct_fix_tx_random *self, bool tso)
{
	const uint16_t n = (uint16_t)(1 + draw_number(self, BURST_MAX));
	struct rte_mbuf *m[BURST_MAX];
	struct sent s[BURST_MAX];
	uint16_t sent;

	for (uint16_t i = 0; i < n; i++) {
		m[i] = make_random(self, tso, &s[i]);
		ASSERT_NE(NULL, m[i]);
	}
	EXPECT_EQ(n, rte_eth_tx_prepare(self->rig.port, 0, m, n));
	sent = rte_eth_tx_burst(self->rig.port, 0, m, n);
	for (uint16_t i = 0; i < sent; i++)
		self->waiting[self->end++ % N_WAITING] = s[i];
	rte_pktmbuf_free_bulk(m + sent, n - sent);
}

static void expect_nothing_lost(struct ct_fix_tx_random *self)
{
	struct rte_eth_stats stats;

	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(self->n_frames, stats.opackets);
	EXPECT_EQ(0, stats.oerrors);
}

static const struct ring {
	const char *name, *args;
	uint16_t n_desc;
	bool tso, by_device;
} rings[] = {
	{ "64", "ibdev=mlx5_0", 64, true, true },
	{ "64_tag_in_the_WQE", "ibdev=mlx5_0", 64, true, false },
	{ "64_without_TSO", "ibdev=mlx5_0", 64, false, true },
	{ "64_without_TSO_tag_in_the_WQE", "ibdev=mlx5_0", 64, false, false },
	{ "64_one_WQE_per_packet", "ibdev=mlx5_0,tx_burst=single", 64, true, true },
	{ "64_BlueFlame", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1", 64, true, true },
	{ "64_BlueFlame_one_WQE_per_packet", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1,tx_burst=single", 64,
	  true, false },
	{ "256", "ibdev=mlx5_0", 256, true, true },
	{ "64_inline", "ibdev=mlx5_0,inline=924", 64, true, true },
	{ "64_inline_tag_in_the_WQE", "ibdev=mlx5_0,inline=924", 64, true, false },
};

static void start_port(struct port_rig *rig, const struct ring *r)
{
	const struct port_rig_config config = { .n_tx_desc = r->n_desc,
						.eth.txmode.offloads = ALL | (r->tso ? TSO : 0) };

	port_rig_remove_port(rig);
	port_rig_add_port_with(rig, r->args);
	ASSERT_EQ(0, port_rig_configure(rig, &config));
	if (!r->by_device)
		((struct devx_eth_txq *)rte_eth_devices[rig->port].data->tx_queues[0])
			->insert_type = 0; /* as on a device without wqe_vlan_insert */
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

TEST_F_EACH(tx_random, every_frame_arrives_in_order, struct ring, rings)
{
	struct port_rig *rig = &self->rig;
	uint64_t end;

	NEEDS_EMU("to pause the device");
	start_port(rig, row);
	end = rte_get_timer_cycles() + TIMEOUT_S * rte_get_timer_hz();
	for (uint32_t i = 0; i < N_STEPS; i++) {
		SCOPED_TRACE("step %u", i);
		if (!draw_number(self, 8))
			rig->emu->pause();
		for (uint32_t k = draw_number(self, 4);
		     k && self->end - self->first + BURST_MAX <= N_WAITING; k--)
			send_random(self, row->tso);
		rig->emu->resume();
		if (!draw_number(self, 50)) {
			ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 0));
			ASSERT_EQ(0, rte_eth_dev_tx_queue_start(rig->port, 0));
		}
		if (draw_number(self, 3))
			receive_waiting(self);
		if (draw_number(self, 3)) /* 0: all packets */
			rte_eth_tx_done_cleanup(rig->port, 0,
						draw_number(self, 2) ? draw_number(self, 30) : 0);
		ASSERT_GT(end, rte_get_timer_cycles()); /* lost frames take 5 s each */
	}
	receive_waiting(self);
	EXPECT_LT(N_STEPS, self->n_frames);
	expect_nothing_lost(self);
}
