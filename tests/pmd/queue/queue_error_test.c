/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Start and stop of a queue that is in error, whose commands fail, or whose device is lost. */

enum { N_QUEUES = 3, N_FLUSHED = 4 };

FIXTURE(queue_error)
{
	struct port_rig rig;
	struct rte_eth_dev_data *data;
};
FIXTURE_SETUP(queue_error)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_rxq = N_QUEUES, .n_txq = N_QUEUES });
	self->data = rte_eth_devices[self->rig.port].data;
}
FIXTURE_TEARDOWN(queue_error)
{
	port_rig_down(&self->rig);
}

static bool has_rx_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return port_rig_get_xstat(rig, "rx_recoveries");
}

static bool has_tx_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return port_rig_get_xstat(rig, "tx_recoveries");
}

static bool has_failed_cq(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	return __atomic_load_n((bool *)arg, __ATOMIC_ACQUIRE);
}

TEST_F(queue_error, a_receive_queue_whose_CQ_failed_while_it_was_stopped_starts_again)
{
	struct devx_eth_rxq *rxq = self->data->rx_queues[0];

	NEEDS_EMU("to make a CQ fail");
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_failed_cq, &self->rig, &rxq->cq_failed));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_recoveries"));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	ASSERT_TRUE(port_rig_wait_until(has_rx_recovered, &self->rig, NULL));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "rx_cq_errors"));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(queue_error, a_send_queue_whose_CQ_failed_while_it_was_stopped_starts_again)
{
	struct devx_eth_txq *txq = self->data->tx_queues[0];

	NEEDS_EMU("to make a CQ fail");
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 0));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, txq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_failed_cq, &self->rig, &txq->cq_failed));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_recoveries"));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 0));
	ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, NULL));
	port_rig_exchange_one(&self->rig, 1);
}

/* The queue stops before a burst has seen the error CQE. */
TEST_F(queue_error, a_queue_in_error_state_stops_and_starts_again)
{
	struct devx_eth_rxq *rxq = self->data->rx_queues[0];
	struct devx_eth_txq *txq = self->data->tx_queues[0];
	struct rte_mbuf *m;

	NEEDS_EMU("to put a queue into ERR");
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	for (uint32_t i = 0; i < N_FLUSHED; i++) {
		m = port_rig_make_packet(&self->rig, 200, i);
		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	}
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 0));
	EXPECT_EQ(N_FLUSHED, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 0));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(queue_error, a_lost_device_starts_and_stops_no_queue)
{
	NEEDS_EMU("to lose the device");
	self->rig.stuck = true; /* the kernel refuses every destroy */
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 0));
	port_rig_unplug(&self->rig);
	EXPECT_EQ(-EIO, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	EXPECT_EQ(-EIO, rte_eth_dev_tx_queue_start(self->rig.port, 0));
	EXPECT_EQ(-EIO, rte_eth_dev_rx_queue_stop(self->rig.port, 1));
	EXPECT_EQ(-EIO, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	port_rig_read_log();
}

/* ---- failing commands -------------------------------------------------------------------- */

static int start_rx(uint16_t port)
{
	return rte_eth_dev_rx_queue_start(port, 0);
}

static int stop_rx(uint16_t port)
{
	return rte_eth_dev_rx_queue_stop(port, 0);
}

static int start_tx(uint16_t port)
{
	return rte_eth_dev_tx_queue_start(port, 0);
}

static int stop_tx(uint16_t port)
{
	return rte_eth_dev_tx_queue_stop(port, 0);
}

static const struct call {
	const char *name;
	int (*stop)(uint16_t port);
	int (*start)(uint16_t port);
	const char *line;
} calls[] = {
	{ "rx", stop_rx, start_rx, "Rx queue 0: cannot change the RQ to " },
	{ "tx", stop_tx, start_tx, "Tx queue 0: cannot change the SQ to " },
};

/* Repeats @call until it works, with its k-th command failing. Returns the number of failures. */
static int repeat_call(const struct port_rig *rig, int (*call)(uint16_t port), const char *line)
{
	int k = 0;

	for (;; k++) {
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		if (!call(rig->port))
			break;
		EXPECT_SUBSTR(line, port_rig_read_log());
	}
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	return k;
}

/* A stop tries its commands a second time, so that one failure does not stop it. */
TEST_F_EACH(queue_error, a_failed_start_or_stop_works_when_repeated, struct call, calls)
{
	NEEDS_EMU("to make commands fail");
	for (uint32_t i = 0; i < 2; i++) {
		port_rig_exchange_one(&self->rig, i);
		port_rig_read_log();
		repeat_call(&self->rig, row->stop, row->line);
		EXPECT_EQ(1, repeat_call(&self->rig, row->start, row->line));
	}
	port_rig_exchange_one(&self->rig, 9);
}
