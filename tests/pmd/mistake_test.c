/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_txq.h"
#include "port_rig.h"
#include "queue/devx_tx_drain.h"

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
	EXPECT_EQ(2 + 5, stats.opackets);
	EXPECT_EQ(2 * 200 + 5 * 100, stats.obytes);
	EXPECT_EQ(5, stats.oerrors);
	self->rig.before.mistakes++; /* the invalid key is a mistake that emu counts */
}

/*
 * 50 packets in WQEs are WQEs of 14, 14, 14 and 8 packets. The device sends those in front of the
 * WQE with an invalid opcode.
 */
TEST_F(mistake, packets_in_a_failed_WQE_and_behind_it_are_lost)
{
	enum { N = 50, IN_WQE = 14, WQE_BLOCKS = 15, BYTES = 60 };
	const struct port_rig_config config = { .n_tx_desc = 64 };
	char want[] = "tx_recoveries";
	struct rte_eth_stats stats;
	struct rte_mbuf *m[N];

	for (uint16_t good = 0; good < 4; good++) {
		const uint16_t sent = good * IN_WQE;
		struct devx_eth_txq *txq;

		SCOPED_TRACE("%u WQEs are sent", good);
		port_rig_remove_port(&self->rig);
		port_rig_add_port_with(&self->rig, "ibdev=mlx5_0,inline=60");
		ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
		for (uint16_t i = 0; i < N; i++)
			m[i] = port_rig_make_packet(&self->rig, BYTES, i);
		self->rig.emu->pause();
		EXPECT_EQ(N, rte_eth_tx_burst(self->rig.port, 0, m, N));
		txq->sq.wqebbs[good * WQE_BLOCKS].ctrl.opmod_idx_opcode.raw ^= 0xff000000;
		self->rig.emu->resume();
		for (uint16_t i = 0; i < sent; i++) {
			ASSERT_EQ(1, port_rig_receive(&self->rig, m, 1));
			port_rig_expect_packet(&self->rig, m[0], BYTES, i);
			rte_pktmbuf_free(m[0]);
		}
		ASSERT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, want));
		EXPECT_EQ(N - sent, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
		EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_wqe_errors"));
		ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
		EXPECT_EQ(N, stats.opackets);
		EXPECT_EQ(N * BYTES, stats.obytes);
		port_rig_exchange_one(&self->rig, good);
		self->rig.before.mistakes++; /* the invalid opcode */
	}
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
	devx_eth_send_wait_ms = 5; /* the device is paused, so that a wait is in vain */
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
		mbuf_pool_expect(rig->pool, PORT_RIG_POOL - rig->n_kept);
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	}
	EXPECT_TRUE(tx);
	EXPECT_TRUE(rx);
	/* the SQ goes on although the keys of its mbufs do not exist any more */
	EXPECT_TRUE(port_rig_wait_until(has_new_mistake, rig, NULL));
	rig->before.mistakes++;
}
