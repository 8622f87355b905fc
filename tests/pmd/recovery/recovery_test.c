/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* The recovery timer brings queues in error state back to RDY. */

FIXTURE(recovery)
{
	struct port_rig rig;
};
FIXTURE_SETUP(recovery)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(recovery)
{
	port_rig_down(&self->rig);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	return port_rig_get_xstat(rig, arg) > 0;
}

/*
 * Calls the send burst, because the timer resets a queue only after a burst saw the error CQE.
 * Returns true after the reset.
 */
static bool has_tx_recovered(const struct port_rig *rig, void *arg)
{
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return has_recovered(rig, arg);
}

static bool has_rx_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return has_recovered(rig, arg);
}

TEST_F(recovery, a_send_queue_sends_again_after_an_error)
{
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];

	NEEDS_EMU("to put a queue into ERR");
	for (unsigned int i = 0; i < 3; i++) {
		char want[] = "tx_recoveries";

		port_rig_exchange_one(&self->rig, i);
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
		ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
		for (int k = 0; k < 4;
		     k++) { /* the queue is in ERR: the device flushes these packets */
			struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, 0);

			if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1))
				rte_pktmbuf_free(m);
		}
		ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, want));
		EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_wqe_errors"));
		EXPECT_SUBSTR("queue restarted", port_rig_read_log());
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
	}
	port_rig_exchange_one(&self->rig, 9);
}

/* Returns whether the CQ has an error CQE, without taking it. */
static bool has_error_cqe(const struct port_rig *rig, void *queue)
{
	const struct devx_eth_txq *txq = queue;
	struct devx_cq cq = txq->cq;
	const struct prm_cqe *cqe;

	RTE_SET_USED(rig);
	for (; (cqe = devx_cq_peek(&cq)); devx_cq_pop(&cq))
		if (prm_cqe_opcode(cqe->op_own) == PRM_CQE_REQ_ERR)
			return true;
	return false;
}

/* The timer waits for the lock of the port, which the test holds. */
TEST_F(recovery, a_burst_that_finds_an_error_posts_nothing)
{
	struct rte_eth_dev *ethdev = &rte_eth_devices[self->rig.port];
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_txq *txq = ethdev->data->tx_queues[0];
	char want[] = "tx_recoveries";
	struct rte_mbuf *m[2];
	uint16_t pi;

	NEEDS_EMU("to put a queue into ERR");
	for (int i = 0; i < 2; i++)
		ASSERT_NE(NULL, m[i] = port_rig_make_packet(&self->rig, 60, 0));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m[0], 1));
	ASSERT_TRUE(port_rig_wait_until(has_error_cqe, &self->rig, txq));
	pthread_mutex_lock(&eth->lock);
	pi = txq->sq.pi;
	EXPECT_EQ(0, rte_eth_tx_burst(self->rig.port, 0, &m[1], 1));
	EXPECT_EQ(pi, txq->sq.pi);
	pthread_mutex_unlock(&eth->lock);
	rte_pktmbuf_free(m[1]);
	ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, want));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	port_rig_exchange_one(&self->rig, 9);
}

/* The queue keeps its CQ after an error CQE, also if an error of the CQ came before. */
TEST_F(recovery, a_send_queue_keeps_its_new_cq_after_an_error_of_its_sq)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth_txq *txq = rte_eth_devices[rig->port].data->tx_queues[0];
	char want[] = "tx_recoveries";
	struct rte_mbuf *m;
	uint32_t cqn;

	NEEDS_EMU("to let a CQ fail");
	ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, txq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, rig, want));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "tx_cq_errors"));
	ASSERT_EQ(0, rte_eth_xstats_reset(rig->port));
	cqn = txq->cq.cqn;
	ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	m = port_rig_make_packet(rig, 60, 0);
	ASSERT_EQ(1, rte_eth_tx_burst(rig->port, 0, &m, 1));
	ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, rig, want));
	EXPECT_EQ(cqn, txq->cq.cqn);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_cq_errors"));
	EXPECT_EQ(1, port_rig_get_xstat(rig, "tx_wqe_errors"));
	port_rig_exchange_one(rig, 9);
}

TEST_F(recovery, a_receive_queue_receives_again_after_an_error)
{
	struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];

	NEEDS_EMU("to put a queue into ERR");
	for (uint32_t i = 0; i < 3; i++) {
		char want[] = "rx_recoveries";

		port_rig_exchange_one(&self->rig, i);
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
		ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
		ASSERT_TRUE(port_rig_wait_until(has_rx_recovered, &self->rig, want));
		EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "rx_wqe_errors"));
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
	}
	port_rig_exchange_one(&self->rig, 9);
}

/*
 * Calls both bursts. Returns true after the injected failure hit the third command of a recovery,
 * which sets RDY.
 */
static bool has_recovery_failed(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
}

TEST_F(recovery, a_failed_recovery_is_tried_again)
{
	struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	struct devx_eth_txq *txq = data->tx_queues[0];
	struct devx_eth_rxq *rxq = data->rx_queues[0];
	char tx[] = "tx_recoveries", rx[] = "rx_recoveries";
	struct rte_mbuf *m;

	NEEDS_EMU("to put a queue into ERR");
	for (uint32_t i = 0; i < PORT_RIG_RING + 3;
	     i++) /* no counter of the rings is 0 afterwards */
		port_rig_exchange_one(&self->rig, i);
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 2, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	EXPECT_TRUE(port_rig_wait_until(has_recovery_failed, &self->rig, NULL));
	EXPECT_TRUE(port_rig_wait_until(has_rx_recovered, &self->rig, rx));
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 2, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	m = port_rig_make_packet(&self->rig, 60, 0);
	rte_eth_tx_burst(self->rig.port, 0, &m, 1); /* the device flushes it */
	EXPECT_TRUE(port_rig_wait_until(has_recovery_failed, &self->rig, NULL));
	EXPECT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, tx));
	port_rig_exchange_one(&self->rig, 9);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	mbuf_pool_expect_all(self->rig.pool);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
