/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_generator.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "recovery/devx_cq_poll.h"
#include "recovery/devx_recovery_timer.h"

/* The recovery timer finds CQs in error of a device that withholds CQ_ERROR. */

enum { N_TXQ = 4, FRAME = 60 };

FIXTURE(cq_poll)
{
	struct port_rig rig;
	struct devx_eth *eth;
};
FIXTURE_SETUP(cq_poll)
{
	NEEDS_EMU("to withhold an event");
	EXPECT_EQ(1, emu_if_any()->option("cq_error_events", 0));
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ });
	self->eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
}
FIXTURE_TEARDOWN(cq_poll)
{
	if (!emu_if_any())
		return;
	port_rig_down(&self->rig);
	EXPECT_EQ(0, emu_if_any()->option("cq_error_events", 1));
}

/* From now on only the test calls the steps of the timer. */
static void stop_timer(struct ct_fix_cq_poll *self)
{
	devx_eth_recovery_timer_stop(self->eth);
	self->eth->events.poll = (struct devx_eth_cq_poll){ 0 };
}

/* Lets @n periods of the timer pass. Return: number of commands that they sent */
static uint64_t step_periods(struct ct_fix_cq_poll *self, unsigned int n)
{
	const uint64_t before = port_rig_get_counters(&self->rig).commands;

	pthread_mutex_lock(&self->eth->lock);
	for (unsigned int i = 0; i < n; i++)
		devx_eth_cq_poll_step(self->eth);
	pthread_mutex_unlock(&self->eth->lock);
	return port_rig_get_counters(&self->rig).commands - before;
}

/* Lets the time of one look pass. Return: its queue, in the order Rx 0, Tx 0, Tx 1, ... */
static uint32_t look_once(struct ct_fix_cq_poll *self)
{
	EXPECT_EQ(1, step_periods(self, 2));
	return self->eth->events.poll.next - 1;
}

static struct devx_eth_txq *get_txq(const struct ct_fix_cq_poll *self, uint16_t queue)
{
	return self->eth->data->tx_queues[queue];
}

static void fail_cq(const struct ct_fix_cq_poll *self, const struct devx_cq *cq)
{
	EXPECT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, cq->cqn));
}

static void send_on(const struct ct_fix_cq_poll *self, uint16_t queue)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, queue);

	EXPECT_EQ(1, rte_eth_tx_burst(self->rig.port, queue, &m, 1));
}

static void receive_all(const struct ct_fix_cq_poll *self, uint16_t n)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	for (uint16_t k; n; n -= k) {
		k = port_rig_receive(&self->rig, m, RTE_MIN(n, (uint16_t)PORT_RIG_BURST));
		ASSERT_NE(0, k);
		rte_pktmbuf_free_bulk(m, k);
	}
}

TEST_F(cq_poll, timer_sends_one_command_in_10_ms)
{
	EXPECT_EQ(10, DEVX_ETH_CQ_POLL_MS);
	EXPECT_EQ(5000, DEVX_ETH_RECOVERY_PERIOD_US);
	stop_timer(self);
	for (unsigned int i = 0; i < 40; i++)
		EXPECT_EQ(i % 2, step_periods(self, 1));
}

TEST_F(cq_poll, bursts_send_no_command)
{
	uint64_t before;

	stop_timer(self);
	port_rig_exchange_one(&self->rig, 0);
	before = port_rig_get_counters(&self->rig).commands;
	for (uint32_t i = 1; i < 20; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(before, port_rig_get_counters(&self->rig).commands);
}

/* The receive queue always waits for packets. */
TEST_F(cq_poll, queues_with_work_have_their_turn_first)
{
	stop_timer(self);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, look_once(self));
	self->rig.emu->pause();
	send_on(self, 2);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(3, look_once(self));
		EXPECT_EQ(0, look_once(self));
	}
	send_on(self, 1);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(2, look_once(self));
		EXPECT_EQ(3, look_once(self));
		EXPECT_EQ(0, look_once(self));
	}
	self->rig.emu->resume();
	receive_all(self, 2);
}

TEST_F(cq_poll, queue_that_took_a_cqe_is_skipped)
{
	stop_timer(self);
	EXPECT_EQ(0, look_once(self));
	for (uint32_t i = 0; i < 4; i++) {
		port_rig_exchange_one(&self->rig, i);
		EXPECT_NE(0, look_once(self));
	}
	EXPECT_EQ(0, look_once(self));
}

static bool is_empty(const struct port_rig *rig, void *arg)
{
	const struct devx_eth_txq *txq = arg;

	rte_eth_tx_burst(rig->port, txq->id, NULL, 0);
	return txq->head == txq->tail;
}

/* Exchanges so many packets that the last one has a CQE: no send queue has work afterwards. */
static void exchange_batch(struct ct_fix_cq_poll *self)
{
	const uint16_t n = get_txq(self, 0)->comp_every;
	struct rte_mbuf *m[PORT_RIG_RING];

	ASSERT_GE(PORT_RIG_RING, n);
	for (uint16_t i = 0; i < n; i++)
		m[i] = port_rig_make_packet(&self->rig, FRAME, i);
	ASSERT_TRUE(port_rig_send(&self->rig, m, n));
	receive_all(self, n);
	EXPECT_TRUE(port_rig_wait_until(is_empty, &self->rig, get_txq(self, 0)));
}

TEST_F(cq_poll, queue_without_work_is_asked_if_no_other_one_waits)
{
	struct devx_eth_txq *idle = get_txq(self, N_TXQ - 1);

	stop_timer(self);
	fail_cq(self, &idle->cq);
	for (uint32_t i = 1; i < N_TXQ; i++) {
		EXPECT_FALSE(idle->cq_failed);
		exchange_batch(self);
		EXPECT_EQ(1 + i, look_once(self));
	}
	EXPECT_TRUE(idle->cq_failed);
}

TEST_F(cq_poll, failed_question_is_logged_once)
{
	stop_timer(self);
	port_rig_read_log();
	for (int i = 0; i < 2; i++) {
		self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
		step_periods(self, 2);
		EXPECT_EQ(-1, self->rig.emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
		if (i)
			EXPECT_STREQ("", port_rig_read_log());
		else
			EXPECT_SUBSTR("cannot read the state of CQ", port_rig_read_log());
	}
	EXPECT_EQ(1, step_periods(self, 2));
}

struct repair {
	struct rte_pmd_devx_ring *ring; /* or NULL */
	const char *xstat;
	uint64_t n;
};

static bool is_repaired(const struct port_rig *rig, void *arg)
{
	const struct repair *repair = arg;
	struct rte_mbuf *m;

	for (uint16_t i = 0; i < N_TXQ; i++)
		rte_eth_tx_burst(rig->port, i, NULL, 0);
	if (repair->ring)
		rte_pmd_devx_ring_send(repair->ring, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, repair->xstat) >= repair->n;
}

TEST_F(cq_poll, queues_whose_cq_failed_are_repaired)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth_rxq *rxq = self->eth->data->rx_queues[0];
	struct repair rx = { NULL, "rx_recoveries", 1 }, tx = { NULL, "tx_recoveries", 1 };

	for (uint64_t i = 1; i <= 3; i++) {
		rx.n = tx.n = i;
		port_rig_exchange_one(rig, (uint32_t)i);
		fail_cq(self, &rxq->cq);
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &rx));
		fail_cq(self, &get_txq(self, 1)->cq);
		send_on(self, 1);
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &tx));
		EXPECT_EQ(i, port_rig_get_xstat(rig, "rx_cq_errors"));
		EXPECT_EQ(i, port_rig_get_xstat(rig, "tx_cq_errors"));
	}
	EXPECT_SUBSTR("Tx queue 1: error of its CQ (syndrome 0x00); queue created again",
		      port_rig_read_log());
	port_rig_exchange_one(rig, 9);
}

TEST_F(cq_poll, generator_ring_whose_cq_failed_is_repaired)
{
	struct port_rig *rig = &self->rig;
	uint8_t frame[FRAME] = { 0 };
	const struct rte_pmd_devx_ring_conf conf = { .frame = frame,
						     .frame_bytes = FRAME,
						     .n_packets = 28 };
	struct repair repair = { NULL, "tx_recoveries", 1 };

	ASSERT_EQ(0, rte_pmd_devx_ring_create(rig->port, &conf, &repair.ring));
	self->rig.emu->pause();
	EXPECT_EQ(28, rte_pmd_devx_ring_send(repair.ring, NULL, 28));
	rig->n_generated = 28;
	rig->generated_bytes = 28 * FRAME;
	fail_cq(self, &repair.ring->cq);
	self->rig.emu->resume();
	ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "tx_cq_errors"));
	rte_pmd_devx_ring_destroy(repair.ring);
}
