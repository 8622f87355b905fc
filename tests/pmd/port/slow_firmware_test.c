/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* A firmware command takes long: the control path waits for it, a burst does not. */

FIXTURE(slow_firmware)
{
	struct port_rig rig;
};
FIXTURE_SETUP(slow_firmware)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_rxq = 2, .n_txq = 2 });
}
FIXTURE_TEARDOWN(slow_firmware)
{
	if (self->rig.emu)
		self->rig.emu->command_time(0);
	port_rig_down(&self->rig);
}

/* A function of the control path, on a thread of its own. */
struct control {
	const struct port_rig *rig;
	int (*run)(const struct port_rig *rig);
	pthread_t thread;
	int rc;
	bool done;
};

static void *run_control(void *arg)
{
	struct control *c = arg;

	c->rc = c->run(c->rig);
	__atomic_store_n(&c->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static int restart_rx_queue(const struct port_rig *rig)
{
	const int rc = rte_eth_dev_rx_queue_stop(rig->port, 1);

	return rc ? rc : rte_eth_dev_rx_queue_start(rig->port, 1);
}

static int restart_tx_queue(const struct port_rig *rig)
{
	const int rc = rte_eth_dev_tx_queue_stop(rig->port, 1);

	return rc ? rc : rte_eth_dev_tx_queue_start(rig->port, 1);
}

static int change_rules(const struct port_rig *rig)
{
	const int rc = rte_eth_allmulticast_enable(rig->port);

	return rc ? rc : rte_eth_allmulticast_disable(rig->port);
}

static int reset_counters(const struct port_rig *rig)
{
	return rte_eth_stats_reset(rig->port);
}

static int read_link(const struct port_rig *rig)
{
	struct rte_eth_link link;

	return rte_eth_link_get_nowait(rig->port, &link);
}

static const struct control_row {
	const char *name;
	int (*run)(const struct port_rig *rig);
} controls[] = {
	{ "restart_rx_queue", restart_rx_queue },
	{ "restart_tx_queue", restart_tx_queue },
	{ "change_rules", change_rules },
	{ "reset_counters", reset_counters },
	{ "read_link", read_link },
};

static bool is_held_or_done(const struct port_rig *rig, void *arg)
{
	const struct control *c = arg;

	return rig->emu->hold_commands(0, 0) || __atomic_load_n(&c->done, __ATOMIC_ACQUIRE);
}

/* Packets go round queue 0 while the other thread waits for the firmware, at each command. */
TEST_F_EACH(slow_firmware, bursts_go_on_while_a_command_runs, struct control_row, controls)
{
	const struct port_rig *rig = &self->rig;
	struct control c = { .rig = rig, .run = row->run };
	uint32_t n_held = 0;

	NEEDS_EMU("to hold commands");
	port_rig_exchange_one(rig, 0);
	rig->emu->hold_commands(0, 0);
	ASSERT_EQ(0, pthread_create(&c.thread, NULL, run_control, &c));
	while (port_rig_wait_until(is_held_or_done, rig, &c) && rig->emu->hold_commands(0, 0)) {
		port_rig_exchange_one(rig, ++n_held);
		port_rig_exchange_one(rig, n_held);
		EXPECT_EQ(1, rig->emu->hold_commands(0, 0));
		EXPECT_EQ(0, rig->emu->hold_commands(0, 1));
	}
	rig->emu->hold_commands(0, -1);
	ASSERT_EQ(0, pthread_join(c.thread, NULL));
	EXPECT_EQ(0, c.rc);
	EXPECT_LT(0, n_held);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m[2];

	RTE_SET_USED(arg);
	for (uint16_t q = 0; q < 2; q++) {
		rte_eth_tx_burst(rig->port, q, NULL, 0);
		rte_pktmbuf_free_bulk(m, rte_eth_rx_burst(rig->port, q, m, 2));
	}
	return port_rig_get_xstat(rig, "rx_recoveries") > 0 &&
	       port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

/* Start, recovery of both sides and stop with commands of 10 ms, as with commands of no time. */
TEST_F(slow_firmware, port_starts_recovers_and_stops)
{
	struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	struct devx_eth_rxq *rxq = data->rx_queues[0];
	struct devx_eth_txq *txq = data->tx_queues[0];
	struct rte_mbuf *m;

	NEEDS_EMU("to slow the firmware down");
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	self->rig.emu->command_time(10000);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	m = port_rig_make_packet(&self->rig, 60, 0);
	if (!rte_eth_tx_burst(self->rig.port, 0, &m, 1)) /* the device flushes it */
		rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	port_rig_exchange_one(&self->rig, 2);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(PORT_RIG_POOL, rte_mempool_avail_count(self->rig.pool));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 3);
}
