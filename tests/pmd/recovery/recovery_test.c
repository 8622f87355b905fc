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
