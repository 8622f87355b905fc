/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "process/devx_leftovers.h"
#include "queue/devx_tx_drain.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_recovery_timer.h"

/*
 * Flush CQEs that the device writes late: only when the test moves its clock. A queue that is reset
 * before would take them for CQEs of new WQEs. generator_flush_test.c has those of generator rings.
 */

enum { LATE_US = 100, N_PERIODS = 3, BYTES = 100, PROCESS = 7, BAD_KEY = 0xdead00 };
enum { N_SENT = 5, N_LOST = 70 };

FIXTURE(flush)
{
	struct port_rig rig;
	struct rte_eth_dev_data *data;
	struct devx_eth *eth;
	struct devx_eth_txq *txq;
	struct devx_eth_rxq *rxq;
	unsigned int periods; /* devx_eth_flush_periods before the test */
};

FIXTURE_SETUP(flush)
{
	const struct rte_eth_dev *ethdev;

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	NEEDS_EMU("to delay CQEs");
	ethdev = &rte_eth_devices[self->rig.port];
	self->eth = devx_eth_port_get(ethdev);
	self->txq = ethdev->data->tx_queues[0];
	self->rxq = ethdev->data->rx_queues[0];
	self->periods = devx_eth_flush_periods;
	devx_eth_flush_periods = UINT_MAX; /* the wait of a test has no end of its own */
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 0);
	EXPECT_EQ(0, self->rig.emu->option("late_flush_us", LATE_US));
	for (uint32_t i = 0; i < N_SENT; i++) /* no counter of the rings is 0 afterwards */
		port_rig_exchange_one(&self->rig, i);
}

/* The clock stands still until the queues are destroyed: some late CQEs never come. */
FIXTURE_TEARDOWN(flush)
{
	const struct devx_emu_ctl *emu = self->rig.emu;

	if (emu) {
		emu->reset_mistakes(); /* the invalid keys and WQEs */
		self->rig.before.mistakes = port_rig_get_counters(&self->rig).mistakes;
		devx_eth_flush_periods = self->periods;
	}
	port_rig_down(&self->rig);
	if (emu) {
		emu->option("late_flush_us", 0);
		emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	}
}

static void use_queues(const struct port_rig *rig)
{
	struct rte_mbuf *m;

	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
}

static uint64_t count_recoveries(const struct port_rig *rig)
{
	return port_rig_get_xstat(rig, "tx_recoveries") + port_rig_get_xstat(rig, "rx_recoveries");
}

static bool is_wait_long(const struct devx_eth_flush *flush)
{
	return __atomic_load_n(&flush->n_polls, __ATOMIC_RELAXED) >= N_PERIODS;
}

/* Returns whether the recovery timer has waited for some periods, or does not wait. */
static bool is_waiting(const struct port_rig *rig, void *flush)
{
	use_queues(rig);
	return is_wait_long(flush) || count_recoveries(rig);
}

static bool has_recovered(const struct port_rig *rig, void *owner)
{
	use_queues(rig);
	return count_recoveries(rig) &&
	       __atomic_load_n((uint32_t *)owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

/* Moves the clock at each look: the engine may still be about to flush the queue. */
static bool has_recovered_late(const struct port_rig *rig, void *owner)
{
	rig->emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	return has_recovered(rig, owner);
}

/* Expects that the timer waits with the reset; then the device writes the flush CQEs. */
static void end_wait(struct ct_fix_flush *self, struct devx_eth_flush *flush, uint32_t *owner)
{
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, flush));
	EXPECT_EQ(0, count_recoveries(&self->rig));
	ASSERT_TRUE(port_rig_wait_until(has_recovered_late, &self->rig, owner));
}

/* Expects one recovery, and moves frames until each WQE of the rings was used again. */
static void expect_one_recovery(struct ct_fix_flush *self)
{
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	for (uint32_t i = 0; i < PORT_RIG_RING + 5; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(1, count_recoveries(&self->rig));
	EXPECT_GE(1, port_rig_get_xstat(&self->rig, "tx_wqe_errors"));
	EXPECT_GE(1, port_rig_get_xstat(&self->rig, "rx_wqe_errors"));
}

/* ---- Tx ---------------------------------------------------------------------------------- */

/* Sends a packet with an invalid key, and @n packets behind it. The device executes none. */
static void break_tx(struct ct_fix_flush *self, uint32_t n)
{
	const struct devx_eth_range good = self->txq->range;

	self->rig.emu->pause();
	for (uint32_t i = 0; i <= n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, BYTES, i);

		self->txq->range.lkey = i ? good.lkey : prm_be32_of(BAD_KEY);
		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	}
	self->rig.emu->resume();
}

static const struct tx_case {
	const char *name;
	uint32_t n; /* packets behind the failed one; each 64th requests a CQE */
} tx_cases[] = {
	{ "no_packet", 0 },
	{ "packets_without_a_CQE", 5 },
	{ "packets_with_CQEs", 150 },
	{ "a_full_ring", PORT_RIG_RING - 64 },
};

static bool has_cqe(const struct port_rig *rig, void *cq)
{
	RTE_SET_USED(rig);
	return devx_cq_peek(cq);
}

TEST_F_EACH(flush, send_queue_waits_for_late_CQEs_of, struct tx_case, tx_cases)
{
	break_tx(self, row->n);
	if (row->n) {
		end_wait(self, &self->txq->flush, &self->txq->owner);
	} else { /* a burst before the error CQE would post a NOP, which gets a flush CQE */
		ASSERT_TRUE(port_rig_wait_until(has_cqe, &self->rig, &self->txq->cq));
		ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, &self->txq->owner));
	}
	expect_one_recovery(self);
	EXPECT_EQ(row->n + 1, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_SUBSTR("Tx queue 0: error CQE", port_rig_read_log());
}

TEST_F(flush, send_queue_gets_a_new_CQ_when_CQEs_come_after_the_wait)
{
	devx_eth_flush_periods = N_PERIODS;
	break_tx(self, 5);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, &self->txq->owner));
	EXPECT_SUBSTR("Tx queue 0: the device has not written the flush CQE of its last WQE",
		      port_rig_read_log());
	expect_one_recovery(self);
	EXPECT_EQ(6, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_cq_errors"));
}

TEST_F(flush, send_queue_that_an_ended_process_left_in_ERR_waits_for_late_CQEs)
{
	self->txq->user.process = PROCESS;
	self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, self->txq->sq.sqn);
	for (uint32_t i = 0; i < N_LOST; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, BYTES, i);

		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	}
	devx_eth_leftovers_release_queues(self->eth, PROCESS);
	end_wait(self, &self->txq->flush, &self->txq->owner);
	expect_one_recovery(self);
	/* also the packets of the setup, which requested no CQE */
	EXPECT_EQ(N_SENT + N_LOST, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	port_rig_read_log();
}

/* ---- Rx ---------------------------------------------------------------------------------- */

/* Lets the device find an invalid key in the next receive WQE. */
static void break_rx(struct ct_fix_flush *self)
{
	const struct devx_rq *rq = &self->rxq->rq;
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, BYTES, 0);
	prm_be32 *lkey = &rq->wqes[self->rxq->ci & ((1u << rq->log2_n) - 1)].lkey;
	const prm_be32 good = *lkey;

	*lkey = prm_be32_of(BAD_KEY);
	ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, &self->rxq->flush));
	*lkey = good;
}

TEST_F(flush, receive_queue_waits_for_late_CQEs)
{
	break_rx(self);
	end_wait(self, &self->rxq->flush, &self->rxq->owner);
	expect_one_recovery(self);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_lost_packets"));
	EXPECT_SUBSTR("Rx queue 0: error CQE", port_rig_read_log());
}

TEST_F(flush, receive_queue_gets_a_new_CQ_when_CQEs_come_after_the_wait)
{
	devx_eth_flush_periods = 2 * N_PERIODS;
	break_rx(self);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, &self->rxq->owner));
	EXPECT_SUBSTR("Rx queue 0: the device has not written the flush CQE of its last WQE",
		      port_rig_read_log());
	expect_one_recovery(self);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_cq_errors"));
}

TEST_F(flush, receive_queue_that_an_ended_process_left_in_ERR_waits_for_late_CQEs)
{
	self->rxq->user.process = PROCESS;
	self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, self->rxq->rq.rqn);
	devx_eth_leftovers_release_queues(self->eth, PROCESS);
	end_wait(self, &self->rxq->flush, &self->rxq->owner);
	expect_one_recovery(self);
	port_rig_read_log();
}

/* The process was killed after it filled WQEs, and before it posted them. */
TEST_F(flush, receive_queue_waits_for_posted_WQEs_of_an_ended_process_only)
{
	struct devx_eth_rxq *rxq = self->rxq;

	rxq->user.process = PROCESS;
	ASSERT_LT(rxq->rq.pi, rxq->ci + PORT_RIG_RING);
	ASSERT_EQ(0, rte_mempool_get(rxq->pool, (void **)&rxq->elts[rxq->rq.pi & rxq->elts_mask]));
	rxq->rq.pi++;
	self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn);
	devx_eth_leftovers_release_queues(self->eth, PROCESS);
	end_wait(self, &rxq->flush, &rxq->owner);
	expect_one_recovery(self);
	EXPECT_SUBSTR("Rx queue 0: secondary process 7 ended", port_rig_read_log());
}

/* ---- stop -------------------------------------------------------------------------------- */

TEST_F(flush, port_stops_and_starts_while_its_queues_wait)
{
	break_rx(self);
	break_tx(self, 100);
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, &self->txq->flush));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(101, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	for (uint32_t i = 0; i < PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(0, count_recoveries(&self->rig));
}

static int stop_and_start(uint16_t port, bool tx)
{
	const int rc = tx ? rte_eth_dev_tx_queue_stop(port, 0) : rte_eth_dev_rx_queue_stop(port, 0);

	if (rc)
		return rc;
	return tx ? rte_eth_dev_tx_queue_start(port, 0) : rte_eth_dev_rx_queue_start(port, 0);
}

struct waiter {
	const struct devx_emu_ctl *emu;
	const struct devx_eth_flush *flush;
	uint32_t n_polls; /* flush.n_polls before the stop */
	bool stopped, waited;
};

/* Moves the clock to the time of the CQEs while the stop waits for them. */
static void *write_cqes_in_wait(void *arg)
{
	struct waiter *w = arg;

	do {
		if (__atomic_load_n(&w->flush->n_polls, __ATOMIC_RELAXED) > w->n_polls) {
			w->waited = true;
			w->emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
		}
		sched_yield();
	} while (!__atomic_load_n(&w->stopped, __ATOMIC_ACQUIRE));
	return NULL;
}

/* Stops a queue and starts it again. Only the stop waits: the recovery timer does not run. */
static void expect_waiting_stop(struct ct_fix_flush *self, const struct devx_eth_flush *flush,
				bool tx)
{
	struct waiter w = { self->rig.emu, flush, flush->n_polls, false, false };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, write_cqes_in_wait, &w));
	EXPECT_EQ(0, stop_and_start(self->rig.port, tx));
	__atomic_store_n(&w.stopped, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	EXPECT_TRUE(w.waited);
	EXPECT_STREQ("", port_rig_read_log());
}

/* Stops a queue for which the recovery timer waits. */
static void stop_waiting_queue(struct ct_fix_flush *self, struct devx_eth_flush *flush, bool tx)
{
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, flush));
	port_rig_read_log();
	devx_eth_recovery_timer_stop(self->eth);
	expect_waiting_stop(self, flush, tx);
	EXPECT_EQ(0, devx_eth_recovery_timer_start(self->eth));
	for (uint32_t i = 0; i < PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(0, count_recoveries(&self->rig));
}

TEST_F(flush, stop_of_a_send_queue_waits_for_late_CQEs)
{
	break_tx(self, 100);
	stop_waiting_queue(self, &self->txq->flush, true);
}

TEST_F(flush, stop_of_a_receive_queue_waits_for_late_CQEs)
{
	break_rx(self);
	stop_waiting_queue(self, &self->rxq->flush, false);
}

TEST_F(flush, stopped_queue_gets_a_new_CQ_when_CQEs_come_after_the_wait)
{
	const unsigned int wait_ms = devx_eth_send_wait_ms;
	const char *log;

	break_rx(self);
	break_tx(self, 100);
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, &self->txq->flush));
	port_rig_read_log();
	devx_eth_send_wait_ms = 1;
	EXPECT_EQ(0, stop_and_start(self->rig.port, true));
	EXPECT_SUBSTR("Tx queue 0: the device has not written", port_rig_read_log());
	EXPECT_EQ(0, stop_and_start(self->rig.port, false));
	EXPECT_SUBSTR("Rx queue 0: the device has not written", port_rig_read_log());
	devx_eth_send_wait_ms = wait_ms;
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, &self->txq->owner));
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, &self->rxq->owner));
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	for (uint32_t i = 0; i < PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(2, count_recoveries(&self->rig));
	EXPECT_EQ(101, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	log = port_rig_read_log();
	EXPECT_SUBSTR("Tx queue 0: flush CQEs from before its stop may still come; queue created",
		      log);
	EXPECT_SUBSTR("Rx queue 0: flush CQEs from before its stop may still come; queue created",
		      log);
	EXPECT_EQ(NULL, strstr(log, "error CQE"));
}
