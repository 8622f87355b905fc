/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "queue/devx_tx_drain.h"

/* A queue whose CQ failed gets a new CQ and goes on. */

enum { N_TXQ = 2, IN_FLIGHT = 8 };

FIXTURE(cq_error)
{
	struct port_rig rig;
};
FIXTURE_SETUP(cq_error)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ });
	NEEDS_EMU("to let a CQ fail");
}
FIXTURE_TEARDOWN(cq_error)
{
	port_rig_down(&self->rig);
}

static struct devx_eth_rxq *get_rxq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->rx_queues[0];
}

static struct devx_eth_txq *get_txq(const struct port_rig *rig, uint16_t queue)
{
	return rte_eth_devices[rig->port].data->tx_queues[queue];
}

static void fail_cq(const struct port_rig *rig, const struct devx_cq *cq)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, cq->cqn));
}

/* Calls all bursts, because the timer takes a queue only from its burst. */
static bool has_counted(const struct port_rig *rig, void *xstat)
{
	struct rte_mbuf *m;

	for (uint16_t i = 0; i < N_TXQ; i++)
		rte_eth_tx_burst(rig->port, i, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, xstat) > 0;
}

static bool wait_count(const struct port_rig *rig, const char *xstat)
{
	char name[RTE_ETH_XSTATS_NAME_SIZE];

	snprintf(name, sizeof(name), "%s", xstat);
	return port_rig_wait_until(has_counted, rig, name);
}

TEST_F(cq_error, receive_queue_gets_a_new_cq_and_rq)
{
	struct port_rig *rig = &self->rig;

	for (uint32_t i = 0; i < 3; i++) {
		port_rig_exchange_one(rig, i);
		ASSERT_EQ(0, rte_eth_xstats_reset(rig->port));
		fail_cq(rig, &get_rxq(rig)->cq);
		ASSERT_TRUE(wait_count(rig, "rx_recoveries"));
		EXPECT_EQ(1, port_rig_get_xstat(rig, "rx_cq_errors"));
		EXPECT_EQ(0, port_rig_get_xstat(rig, "rx_lost_packets"));
		EXPECT_SUBSTR("Rx queue 0: error of its CQ (syndrome 0x02); queue created again, "
			      "0 packets lost",
			      port_rig_read_log());
	}
	port_rig_exchange_one(rig, 9);
}

static bool has_received_all(const struct port_rig *rig, void *before)
{
	return port_rig_get_counters(rig).rx_uc_packets == *(uint64_t *)before + IN_FLIGHT;
}

static bool is_failed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return __atomic_load_n(&get_rxq(rig)->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_FAILED;
}

TEST_F(cq_error, receive_queue_counts_packets_that_no_burst_took)
{
	struct port_rig *rig = &self->rig;
	uint64_t before = port_rig_get_counters(rig).rx_uc_packets;
	struct rte_mbuf *m[IN_FLIGHT];

	for (unsigned int i = 0; i < IN_FLIGHT; i++)
		m[i] = port_rig_make_packet(rig, 60, i);
	ASSERT_TRUE(port_rig_send(rig, m, IN_FLIGHT));
	ASSERT_TRUE(port_rig_wait_until(has_received_all, rig, &before));
	fail_cq(rig, &get_rxq(rig)->cq);
	ASSERT_TRUE(port_rig_wait_until(is_failed, rig, NULL));
	ASSERT_TRUE(wait_count(rig, "rx_recoveries"));
	EXPECT_EQ(IN_FLIGHT, port_rig_get_xstat(rig, "rx_lost_packets"));
	port_rig_exchange_one(rig, 9);
}

TEST_F(cq_error, send_queue_counts_packets_without_cqe_as_lost)
{
	struct port_rig *rig = &self->rig;
	struct rte_eth_stats stats;
	struct rte_mbuf *m[IN_FLIGHT];

	for (uint32_t k = 0; k < 3; k++) {
		port_rig_exchange_one(rig, k);
		ASSERT_EQ(0, rte_eth_xstats_reset(rig->port));
		rig->emu->pause();
		for (unsigned int i = 0; i < IN_FLIGHT; i++)
			m[i] = port_rig_make_packet(rig, 60, i);
		ASSERT_EQ(IN_FLIGHT, rte_eth_tx_burst(rig->port, 0, m, IN_FLIGHT));
		fail_cq(rig, &get_txq(rig, 0)->cq);
		rig->emu->resume();
		ASSERT_TRUE(wait_count(rig, "tx_recoveries"));
		EXPECT_EQ(1, port_rig_get_xstat(rig, "tx_cq_errors"));
		ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
		/* the packet of port_rig_exchange_one() may have no CQE yet */
		EXPECT_LE(IN_FLIGHT, stats.oerrors);
		EXPECT_GE(IN_FLIGHT + 1, stats.oerrors);
		EXPECT_SUBSTR("Tx queue 0: error of its CQ (syndrome 0x02); queue created again",
			      port_rig_read_log());
	}
	port_rig_exchange_one(rig, 9);
}

TEST_F(cq_error, two_cqs_fail_at_once_and_another_queue_goes_on)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth_txq *other = get_txq(rig, 1);
	const uint32_t sqn = other->sq.sqn;
	struct rte_mbuf *m;

	rig->emu->pause();
	fail_cq(rig, &get_rxq(rig)->cq);
	fail_cq(rig, &get_txq(rig, 0)->cq);
	m = port_rig_make_packet(rig, 60, 0);
	/* to another host: it does not come back, even if the receive queue is repaired before */
	rte_pktmbuf_mtod(m, uint8_t *)[5] ^= 0x55;
	EXPECT_EQ(1, rte_eth_tx_burst(rig->port, 1, &m, 1));
	rig->emu->resume();
	ASSERT_TRUE(wait_count(rig, "rx_recoveries"));
	ASSERT_TRUE(wait_count(rig, "tx_recoveries"));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "rx_cq_errors"));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "tx_cq_errors"));
	EXPECT_EQ(sqn, other->sq.sqn);
	EXPECT_EQ(1, other->n.packets);
	port_rig_exchange_one(rig, 9);
}

/* Counts how often @text is in @log. */
static unsigned int count_lines(const char *log, const char *text)
{
	unsigned int n = 0;

	while ((log = strstr(log, text))) {
		n++;
		log += strlen(text);
	}
	return n;
}

static const struct side {
	const char *name;
	bool receive;
} sides[] = { { "receive", true }, { "send", false } };

/* Failures of commands outside a repair would spoil the test: it reads no xstats. */
struct repair {
	const struct side *side;
	uint64_t before;
};

static uint64_t read_recoveries(const struct port_rig *rig, const struct side *side)
{
	return __atomic_load_n(side->receive ? &get_rxq(rig)->n.recoveries
					     : &get_txq(rig, 0)->n.recoveries,
			       __ATOMIC_RELAXED);
}

/* The bursts have the queue again: the timer has logged everything. */
static bool is_running(const struct port_rig *rig, const struct side *side)
{
	const uint32_t *owner = side->receive ? &get_rxq(rig)->owner : &get_txq(rig, 0)->owner;

	return __atomic_load_n(owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

static bool is_repaired(const struct port_rig *rig, void *arg)
{
	const struct repair *repair = arg;
	struct rte_mbuf *m;

	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return read_recoveries(rig, repair->side) > repair->before && is_running(rig, repair->side);
}

/* Lets a packet wait in the receive queue. */
static void leave_packet(struct port_rig *rig)
{
	uint64_t before = port_rig_get_counters(rig).rx_uc_packets + 1 - IN_FLIGHT;
	struct rte_mbuf *m = port_rig_make_packet(rig, 60, 0);

	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	EXPECT_TRUE(port_rig_wait_until(has_received_all, rig, &before));
}

/*
 * The k-th command of a repair fails, for every k. The packet that no burst took is lost in the
 * first attempt or in the second one, and counts once.
 */
TEST_F_EACH(cq_error, failed_repair_is_tried_again, struct side, sides)
{
	enum { MANY = 30 };
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);
	unsigned int failed = 0;
	int k;

	for (k = 0; k < MANY; k++) {
		SCOPED_TRACE("command %d fails", k);
		struct repair repair = { row, read_recoveries(rig, row) };

		ASSERT_EQ(0, rte_eth_xstats_reset(rig->port));
		if (row->receive)
			leave_packet(rig);
		port_rig_read_log();
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		fail_cq(rig, row->receive ? &get_rxq(rig)->cq : &get_txq(rig, 0)->cq);
		if (row->receive)
			ASSERT_TRUE(port_rig_wait_until(is_failed, rig, NULL));
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
		const bool fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
		const char *log = port_rig_read_log();
		const unsigned int lines = count_lines(log, "cannot restart the queue");

		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		EXPECT_GE(1, lines);
		failed += lines;
		/* the packet of the last turn took a receive buffer, and has no CQE of a send */
		rig->n_kept += count_lines(log, "refused to destroy it") *
			       (row->receive ? PORT_RIG_RING - 1 : 1);
		if (row->receive)
			EXPECT_EQ(1, port_rig_get_xstat(rig, "rx_lost_packets"));
		port_rig_exchange_one(rig, (uint32_t)k);
		if (!fired)
			break;
	}
	EXPECT_LT(k, MANY);
	EXPECT_LT(2, failed);
	rig->stuck = true; /* some of the failed commands were those of a destroy */
	EXPECT_EQ(before.objects[DEVX_EMU_UCTX], port_rig_get_counters(rig).objects[DEVX_EMU_UCTX]);
}

/* Calls the burst, because the timer takes a queue only from its burst. */
static bool is_repair_held(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return rig->emu->hold_commands(0, 0);
}

/* Each repair is held at its first command, until emu knows that this command fails. */
TEST_F(cq_error, repair_that_fails_again_and_again_is_logged_once)
{
	enum { N_FAILURES = 4 };
	struct port_rig *rig = &self->rig;
	struct repair repair = { &sides[1], read_recoveries(rig, &sides[1]) };

	port_rig_read_log();
	rig->emu->hold_commands(0, 0);
	fail_cq(rig, &get_txq(rig, 0)->cq);
	for (unsigned int i = 0; i < N_FAILURES; i++) {
		EXPECT_TRUE(port_rig_wait_until(is_repair_held, rig, NULL));
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
		rig->emu->hold_commands(0, 1);
	}
	EXPECT_TRUE(port_rig_wait_until(is_repair_held, rig, NULL));
	EXPECT_EQ(-1, rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
	rig->emu->hold_commands(0, -1);
	EXPECT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
	EXPECT_EQ(1, count_lines(port_rig_read_log(),
				 "Tx queue 0: cannot restart the queue after an error; "
				 "trying again every 5 ms"));
	port_rig_exchange_one(rig, 9);
}

/* The kernel loses the event of the CQ; the event of the link then wakes the driver. */
TEST_F(cq_error, driver_reads_the_cqs_after_a_lost_event)
{
	struct port_rig *rig = &self->rig;

	port_rig_read_log();
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_EVENT_LOSS, 0));
	fail_cq(rig, &get_rxq(rig)->cq);
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0));
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0));
	ASSERT_TRUE(wait_count(rig, "rx_recoveries"));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "rx_cq_errors"));
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_cq_errors"));
	EXPECT_SUBSTR("the kernel had no memory for events and lost some", port_rig_read_log());
	port_rig_exchange_one(rig, 9);
}

/* The event of the old CQ must not hit the new one. */
TEST_F(cq_error, restart_forgets_an_error_from_before)
{
	struct port_rig *rig = &self->rig;

	devx_eth_send_wait_ms = 5; /* a stop that has not read the event waits in vain */
	for (uint32_t i = 0; i < 5; i++) {
		fail_cq(rig, &get_rxq(rig)->cq);
		fail_cq(rig, &get_txq(rig, 0)->cq);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		port_rig_exchange_one(rig, i);
		EXPECT_EQ(0, port_rig_get_xstat(rig, "rx_cq_errors"));
		EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_cq_errors"));
	}
}

static void repair_rxq(const struct port_rig *rig, enum devx_emu_inject what, uint32_t id)
{
	struct repair repair = { &sides[0], read_recoveries(rig, &sides[0]) };

	EXPECT_EQ(0, rig->emu->inject(0, what, id));
	ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
}

/* The error of the RQ is none of its CQ, which fails once. */
TEST_F(cq_error, later_error_of_the_rq_only_resets_the_rq)
{
	const struct port_rig *rig = &self->rig;
	const struct devx_eth_rxq *rxq = get_rxq(rig);
	uint32_t rqn, cqn;

	repair_rxq(rig, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn);
	rqn = rxq->rq.rqn;
	cqn = rxq->cq.cqn;
	for (uint32_t i = 0; i < 2; i++) {
		repair_rxq(rig, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn);
		EXPECT_EQ(rqn, rxq->rq.rqn);
		EXPECT_EQ(cqn, rxq->cq.cqn);
		EXPECT_EQ(1, rxq->n.cq_errors);
		port_rig_exchange_one(rig, i);
	}
}

/*
 * Lets the CQ of the receive queue fail, and counts the commands of the repair. @set_strip: the
 * setting of VLAN stripping changes before the repair
 */
static uint64_t count_repair_commands(const struct port_rig *rig, bool set_strip)
{
	struct repair repair = { &sides[0], read_recoveries(rig, &sides[0]) };
	const int now = rte_eth_dev_get_vlan_offload(rig->port);
	uint64_t before;

	fail_cq(rig, &get_rxq(rig)->cq);
	EXPECT_TRUE(port_rig_wait_until(is_failed, rig, NULL));
	if (set_strip)
		EXPECT_EQ(0, rte_eth_dev_set_vlan_offload(rig->port,
							  now ^ RTE_ETH_VLAN_STRIP_OFFLOAD));
	before = port_rig_get_counters(rig).commands;
	EXPECT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
	return port_rig_get_counters(rig).commands - before;
}

/* The command that creates the RQ has the setting of that time. */
TEST_F(cq_error, new_rq_needs_no_command_for_a_changed_vlan_setting)
{
	const struct port_rig *rig = &self->rig;
	uint64_t n;

	count_repair_commands(rig, false); /* it may register memory for the new rings */
	n = count_repair_commands(rig, false);
	EXPECT_LT(0, n);
	for (uint32_t i = 0; i < 2; i++)
		EXPECT_EQ(n, count_repair_commands(rig, true));
	port_rig_exchange_one(rig, 9);
}
