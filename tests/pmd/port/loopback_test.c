/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_port.h"
#include "devx_rig.h"
#include "port_rig.h"

/*
 * Local loopback: while a second context is open, the function receives its own frames. The port
 * must not receive what it sends itself. The second context must, which shows that they came.
 */

enum { N_ROUNDS = 2, N_QUEUES = 2 };

static const struct rte_ether_addr groups[] = {
	{ { 255, 255, 255, 255, 255, 255 } },
	{ { 0x33, 0x33, 0, 0, 0, 1 } },
};
/* The matches of the driver: a frame that matches rules of both contexts goes to both. */
static const struct devx_match group_matches[] = {
	DEVX_MATCH_BROADCAST,
	{ .dmac = { 0x33, 0x33 }, .dmac_mask = { 0xff, 0xff } },
};

enum { N_FRAMES = N_ROUNDS * (1 + RTE_DIM(groups)) }; /* one to the own address in each round */

static_assert(2 * N_FRAMES <= 1 << DEVX_RIG_LOG2_RQ, "buffers of the second context");

FIXTURE(loopback)
{
	struct port_rig rig;
	struct devx_rig other; /* the second context */
	struct devx_flow_rule rules[RTE_DIM(groups)];
};
FIXTURE_SETUP(loopback)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("for its counters of local loopback");
}
FIXTURE_TEARDOWN(loopback)
{
	for (unsigned int i = 0; i < RTE_DIM(groups); i++)
		devx_flow_destroy(&self->rules[i]);
	devx_rig_down(&self->other);
	port_rig_down(&self->rig);
}

static const struct setting {
	const char *name;
	bool rss, context_first;
} settings[] = {
	{ "one_queue", false, false },
	{ "rss", true, false },
	{ "one_queue_after_the_context", false, true },
	{ "rss_after_the_context", true, true },
};

static void start_port(struct port_rig *rig, bool rss)
{
	const struct port_rig_config config = {
		.n_rxq = rss ? N_QUEUES : 1,
		.eth.rxmode.mq_mode = rss ? RTE_ETH_MQ_RX_RSS : RTE_ETH_MQ_RX_NONE,
		.eth.rx_adv_conf.rss_conf.rss_hf = rss ? RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP : 0,
	};

	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

/* Opens the second context, which receives frames to all three destinations. */
static void open_context(struct ct_fix_loopback *self)
{
	struct devx_rig *other = &self->other;

	ASSERT_EQ(0, devx_rig_up(other));
	for (unsigned int i = 0; i < RTE_DIM(groups); i++)
		ASSERT_EQ(0, devx_flow_create(&self->rules[i], &other->dev, &group_matches[i], 0,
					      &other->tir));
	devx_rig_post_recv(other, 1 << DEVX_RIG_LOG2_RQ);
}

static void send_to(struct port_rig *rig, const struct rte_ether_addr *to, uint32_t seed)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 100, seed);

	rte_pktmbuf_mtod(m, struct rte_ether_hdr *)->dst_addr = *to;
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
}

/* Returns the number of packets in all queues of the port. */
static uint32_t drain_port(const struct port_rig *rig)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t total = 0;

	for (uint16_t queue = 0; queue < rte_eth_devices[rig->port].data->nb_rx_queues; queue++) {
		const uint16_t n = rte_eth_rx_burst(rig->port, queue, m, PORT_RIG_BURST);

		rte_pktmbuf_free_bulk(m, n);
		total += n;
	}
	return total;
}

TEST_F_EACH(loopback, brings_no_own_frame_to_the_port, struct setting, settings)
{
	struct devx_emu_counters from, to;

	if (row->context_first)
		open_context(self);
	start_port(&self->rig, row->rss);
	if (!row->context_first)
		open_context(self);
	from = port_rig_get_counters(&self->rig);
	for (uint32_t i = 0; i < N_ROUNDS; i++) {
		send_to(&self->rig, &self->rig.mac, i);
		for (unsigned int k = 0; k < RTE_DIM(groups); k++)
			send_to(&self->rig, &groups[k], i);
	}
	/* a copy of each from the wire, and one by local loopback, which emu delivers first */
	for (uint32_t i = 0; i < 2 * N_FRAMES; i++) {
		ASSERT_NE(NULL, devx_rig_wait_cqe(&self->other.recv_cq));
		devx_rig_drop_cqe(&self->other.recv_cq);
	}
	self->rig.emu->pause(); /* returns when the device has delivered the last frame to both */
	EXPECT_EQ(N_FRAMES, drain_port(&self->rig)); /* those of the wire */
	self->rig.emu->resume();
	to = port_rig_get_counters(&self->rig);
	EXPECT_EQ(N_FRAMES, to.rx_own - from.rx_own);
}

TEST_F(loopback, is_off_with_one_context)
{
	struct devx_emu_counters from, to;

	start_port(&self->rig, false);
	from = port_rig_get_counters(&self->rig);
	port_rig_exchange_one(&self->rig, 1);
	to = port_rig_get_counters(&self->rig);
	EXPECT_EQ(from.rx_own_blocked, to.rx_own_blocked);
	EXPECT_EQ(from.rx_own, to.rx_own);
}
