/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_txq.h"
#include "port_rig.h"

/*
 * Tests that need a driver mistake, or that leave an object behind which rdma-core cannot free.
 * They are a program of their own, because devx-emu reports the mistake, and LeakSanitizer the
 * object.
 */

FIXTURE(mistake)
{
	struct port_rig rig;
};
FIXTURE_SETUP(mistake)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(mistake)
{
	port_rig_down(&self->rig);
}

static bool has_tx_recovered(const struct port_rig *rig, void *arg)
{
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return port_rig_get_xstat(rig, arg) > 0;
}

/* An invalid memory key makes a WQE fail; its packets count as lost. */
TEST_F(mistake, packets_of_a_failed_WQE_are_counted_as_lost)
{
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	const struct devx_eth_range good = txq->range;
	char want[] = "tx_recoveries";
	struct rte_eth_stats stats;
	struct rte_mbuf *m[5];

	port_rig_exchange_one(&self->rig, 0);
	txq->range.lkey = prm_be32_of(0xdead00);
	for (uint32_t i = 0; i < 5; i++)
		m[i] = port_rig_make_packet(&self->rig, 100, i);
	ASSERT_TRUE(port_rig_send(&self->rig, m, 5));
	ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, want));
	txq->range = good;
	port_rig_exchange_one(&self->rig, 1);

	EXPECT_EQ(5, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(2, stats.opackets);
	EXPECT_EQ(400, stats.obytes);
	EXPECT_EQ(5, stats.oerrors);
	self->rig.before.mistakes++; /* the invalid key is a mistake that emu counts */
}

/* The k-th command fails while the mode changes: the old rules stay, and the next try works. */
TEST_F(mistake, a_failed_change_of_mode_keeps_the_old_rules)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	struct devx_emu_counters then = port_rig_get_counters(&self->rig);
	int k, rc = -1;

	for (k = 0; k < 100; k++) {
		SCOPED_TRACE("command %d is refused", k);
		emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		rc = rte_eth_promiscuous_enable(self->rig.port);
		self->rig.stuck = !rc && emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
		if (!rc)
			break; /* only the destroy of an old rule failed: new rules are active */
		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		EXPECT_EQ(then.flows, port_rig_get_counters(&self->rig).flows);
		EXPECT_EQ(0, rte_eth_promiscuous_get(self->rig.port));
	}
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	EXPECT_EQ(0, rc);
	EXPECT_LT(0, k);
	port_rig_exchange_one(&self->rig, 1);
	if (self->rig.stuck) /* the old rule keeps the RQ; one mbuf was received */
		self->rig.n_kept = PORT_RIG_RING - 1;
}

enum { N_POSTED = 20 };

/*
 * Posts packets to the paused device and stops the port; the @k-th command of the stop fails.
 * Returns the log.
 */
static const char *stop_with_failure(const struct port_rig *rig, int k)
{
	rig->emu->pause();
	for (uint32_t i = 0; i < N_POSTED; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, 100, i);

		EXPECT_EQ(1, rte_eth_tx_burst(rig->port, 0, &m, 1));
	}
	port_rig_read_log();
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	rig->emu->resume();
	return port_rig_read_log();
}

static bool has_new_mistake(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return port_rig_get_counters(rig).mistakes > rig->before.mistakes;
}

/* The k-th command of a stop fails, until it was once the destroy of the SQ and once of the RQ. */
TEST_F(mistake, mbufs_of_a_queue_that_cannot_be_destroyed_stay_out_of_the_pool)
{
	struct port_rig *rig = &self->rig;
	bool tx = false, rx = false;

	rig->stuck = true;
	for (int k = 0; k < 50 && !(tx && rx); k++) {
		SCOPED_TRACE("command %d is refused", k);
		const char *log = stop_with_failure(rig, k);

		if (strstr(log, "Tx queue 0: the kernel refused to destroy it")) {
			tx = true;
			rig->n_kept += N_POSTED;
		}
		if (strstr(log, "Rx queue 0: the kernel refused to destroy it")) {
			rx = true;
			rig->n_kept += PORT_RIG_RING;
		}
		EXPECT_EQ(PORT_RIG_POOL - rig->n_kept, rte_mempool_avail_count(rig->pool));
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	}
	EXPECT_TRUE(tx);
	EXPECT_TRUE(rx);
	/* the SQ goes on although the keys of its mbufs do not exist any more */
	EXPECT_TRUE(port_rig_wait_until(has_new_mistake, rig, NULL));
	rig->before.mistakes++;
}
