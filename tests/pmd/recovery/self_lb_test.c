/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_generator.h"
#include "devx_rig.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "prm/prm.h"
#include "rte_pmd_devx.h"

/*
 * Send queues that are younger than the TIRs of the port. A second context is open, so the function
 * receives its own frames by local loopback. The TIRs must block those of every send queue.
 */

enum { N_QUEUES = 2, FRAME_BYTES = 100 };

FIXTURE(self_lb)
{
	struct port_rig rig;
	struct devx_eth *eth;
	struct devx_dev second;
	int64_t order_before, modifiable_before; /* options of emu */
	uint8_t frame[FRAME_BYTES];              /* to the own MAC */
	struct rte_pmd_devx_ring *ring;
	uint16_t queue; /* without a ring: queue to send on */
	uint32_t lpbk_mode;
};
FIXTURE_SETUP(self_lb)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("for its counters of local loopback");
	self->order_before = self->rig.emu->option("tis_tir_td_order", 0);
	self->modifiable_before = self->rig.emu->option("self_lb_en_modifiable", 1);
	ASSERT_EQ(0, devx_dev_open(&self->second, devx_rig_get_ibdev()));
}
FIXTURE_TEARDOWN(self_lb)
{
	devx_dev_close(&self->second);
	port_rig_down(&self->rig);
	if (!self->rig.emu)
		return;
	self->rig.emu->option("tis_tir_td_order", (uint32_t)self->order_before);
	self->rig.emu->option("self_lb_en_modifiable", (uint32_t)self->modifiable_before);
}

/* Probes the port on a device with these options, and starts it with RSS. */
static void start_port(struct ct_fix_self_lb *self, uint32_t order, uint32_t modifiable)
{
	const struct port_rig_config config = {
		.n_rxq = N_QUEUES,
		.n_txq = N_QUEUES,
		.eth.lpbk_mode = self->lpbk_mode,
		.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
	};
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m;

	port_rig_remove_port(rig);
	rig->emu->option("tis_tir_td_order", order);
	rig->emu->option("self_lb_en_modifiable", modifiable);
	port_rig_add_port(rig);
	self->eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	m = port_rig_make_packet(rig, FRAME_BYTES, 0);
	memcpy(self->frame, rte_pktmbuf_mtod(m, void *), FRAME_BYTES);
	rte_pktmbuf_free(m);
	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct ct_fix_self_lb *self = arg;

	for (uint16_t i = 0; i < N_QUEUES; i++)
		rte_eth_tx_burst(rig->port, i, NULL, 0);
	if (self->ring)
		rte_pmd_devx_ring_send(self->ring, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

static void fail_cq(struct ct_fix_self_lb *self, const struct devx_cq *cq)
{
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, cq->cqn));
}

static void replace_queue(struct ct_fix_self_lb *self)
{
	fail_cq(self, &((struct devx_eth_txq *)self->eth->data->tx_queues[0])->cq);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, self));
}

/* The CQ fails while the queue is stopped, so the start makes the timer replace the SQ. */
static void replace_stopped_queue(struct ct_fix_self_lb *self)
{
	const struct devx_eth_txq *txq = self->eth->data->tx_queues[1];

	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	fail_cq(self, &txq->cq);
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 1));
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, self));
	self->queue = 1;
}

static void create_ring(struct ct_fix_self_lb *self)
{
	const struct rte_pmd_devx_ring_conf conf = { .frame = self->frame,
						     .frame_bytes = FRAME_BYTES,
						     .n_packets = 16 };

	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &self->ring));
}

static void replace_ring(struct ct_fix_self_lb *self)
{
	create_ring(self);
	fail_cq(self, &self->ring->cq);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, self));
}

/* The SQ of a queue that starts late is as old as the others. */
static void start_queue_late(struct ct_fix_self_lb *self)
{
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 1));
	self->queue = 1;
}

static const struct young {
	const char *name;
	void (*make)(struct ct_fix_self_lb *self);
	unsigned int n_new; /* SQs that @make creates */
} youngs[] = {
	{ "recovery", replace_queue, 1 },
	{ "recovery_of_a_queue_that_starts_late", replace_stopped_queue, 1 },
	{ "ring", create_ring, 1 },
	{ "recovery_of_a_ring", replace_ring, 2 },
	{ "queue_that_starts_late", start_queue_late, 0 },
};

static bool has_come_back(const struct port_rig *rig, void *counters_before)
{
	const struct devx_emu_counters *before = counters_before;
	const struct devx_emu_counters now = port_rig_get_counters(rig);

	return now.rx_own + now.rx_own_blocked > before->rx_own + before->rx_own_blocked;
}

/* Takes a packet from each queue. Returns whether all of the *@n_left packets have come. */
static bool has_received(const struct port_rig *rig, void *n_left)
{
	unsigned int *n = n_left;
	struct rte_mbuf *m;

	for (uint16_t i = 0; *n && i < N_QUEUES; i++)
		if (rte_eth_rx_burst(rig->port, i, &m, 1)) {
			rte_pktmbuf_free(m);
			(*n)--;
		}
	return !*n;
}

/* Sends a frame to the own MAC. */
static void send_frame(struct ct_fix_self_lb *self)
{
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m;

	if (self->ring) {
		EXPECT_EQ(1, rte_pmd_devx_ring_send(self->ring, NULL, 1));
		rig->n_generated++;
		rig->generated_bytes += FRAME_BYTES;
	} else {
		m = port_rig_make_packet(rig, FRAME_BYTES, 0);
		EXPECT_EQ(1, rte_eth_tx_burst(rig->port, self->queue, &m, 1));
	}
}

/* Sends a frame, and takes it from the wire. Returns whether the TIRs block it. */
static bool is_blocked(struct ct_fix_self_lb *self)
{
	struct port_rig *rig = &self->rig;
	struct devx_emu_counters before = port_rig_get_counters(rig);
	unsigned int n_own, n_left;

	send_frame(self);
	EXPECT_TRUE(port_rig_wait_until(has_come_back, rig, &before));
	n_own = (unsigned int)(port_rig_get_counters(rig).rx_own - before.rx_own);
	n_left = n_own + 1;
	EXPECT_TRUE(port_rig_wait_until(has_received, rig, &n_left));
	return !n_own;
}

static unsigned int count_tirs(const struct devx_eth *eth)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < DEVX_ETH_N_CLASSES; i++)
		n += !!eth->hash.classes[i].tir.obj;
	return n;
}

TEST_F_EACH(self_lb, new_queue_brings_no_own_frame_to_the_port, struct young, youngs)
{
	start_port(self, 0, 1);
	EXPECT_TRUE(is_blocked(self));
	row->make(self);
	EXPECT_TRUE(is_blocked(self));
	EXPECT_EQ(row->n_new * count_tirs(self->eth),
		  devx_rig_get_counts(&self->eth->dev, PRM_OP_modify_tir).n);
	EXPECT_LT(1, count_tirs(self->eth));
}

TEST_F_EACH(self_lb, new_queue_costs_no_command_if_tirs_know_younger_queues, struct young, youngs)
{
	start_port(self, 1, 1);
	row->make(self);
	EXPECT_TRUE(is_blocked(self));
	EXPECT_EQ(0, devx_rig_get_counts(&self->eth->dev, PRM_OP_modify_tir).n);
}

TEST_F_EACH(self_lb, new_queue_works_without_refresh_and_one_notice_says_so, struct young, youngs)
{
	static const char notice[] = "may receive frames of its new send queue";
	unsigned int n_left = 1;
	const char *at;

	start_port(self, 0, 0);
	port_rig_read_log();
	row->make(self);
	devx_dev_close(&self->second); /* port_account.c takes no own frames into account */
	send_frame(self);
	EXPECT_TRUE(port_rig_wait_until(has_received, &self->rig, &n_left));
	at = strstr(port_rig_read_log(), notice);
	EXPECT_EQ(row->n_new > 0, at != NULL);
	EXPECT_EQ(NULL, at ? strstr(at + 1, notice) : NULL);
}

/* Sends a frame to all, and takes it from the wire. Returns whether the TIRs block it. */
static bool is_broadcast_blocked(struct ct_fix_self_lb *self)
{
	struct port_rig *rig = &self->rig;
	struct devx_emu_counters before = port_rig_get_counters(rig);
	struct rte_mbuf *m = port_rig_make_packet(rig, FRAME_BYTES, 0);
	unsigned int n_left = 1;

	memset(rte_pktmbuf_mtod(m, void *), 0xff, RTE_ETHER_ADDR_LEN);
	EXPECT_EQ(1, rte_eth_tx_burst(rig->port, 0, &m, 1));
	EXPECT_TRUE(port_rig_wait_until(has_come_back, rig, &before));
	EXPECT_TRUE(port_rig_wait_until(has_received, rig, &n_left));
	return port_rig_get_counters(rig).rx_own == before.rx_own;
}

/* No other context is open: the port turns local loopback on itself, for as long as it runs. */
TEST_F(self_lb, lpbk_mode_brings_frames_to_the_own_address)
{
	const struct port_rig_config plain = { .n_txq = N_QUEUES, .n_rxq = N_QUEUES };
	struct devx_emu_counters before, after;
	unsigned int n_left = 1;

	devx_dev_close(&self->second);
	self->lpbk_mode = 1;
	start_port(self, 0, 1);
	EXPECT_FALSE(is_blocked(self));
	EXPECT_TRUE(is_broadcast_blocked(self));
	replace_queue(self); /* the TIRs learn of the new SQ */
	EXPECT_FALSE(is_blocked(self));
	EXPECT_TRUE(is_broadcast_blocked(self));
	self->rig.n_own = 2;
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &plain));
	self->rig.n_own = 0;
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	before = port_rig_get_counters(&self->rig);
	send_frame(self);
	EXPECT_TRUE(port_rig_wait_until(has_received, &self->rig, &n_left));
	after = port_rig_get_counters(&self->rig);
	EXPECT_EQ(before.rx_own, after.rx_own);
	EXPECT_EQ(before.rx_own_blocked, after.rx_own_blocked);
}
