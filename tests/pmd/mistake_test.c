/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_txq.h"
#include "rig.h"

/* What takes a mistake of the driver to happen: apart, because the launcher tells of it. */

FIXTURE(mistake) { struct rig rig; };
FIXTURE_SETUP(mistake) { rig_up(&self->rig, &(struct rig_config){0}); }
FIXTURE_TEARDOWN(mistake) { rig_down(&self->rig); }

static bool
tx_recovered(const struct rig *rig, void *arg)
{
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return rig_xstat(rig, arg) > 0;
}

/* A key that the device does not know: the real error of a WQE, and what it costs. */
TEST_F(mistake, packets_of_a_failed_WQE_are_counted_as_lost)
{
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	const struct devx_eth_range good = txq->range;
	char want[] = "tx_recoveries";
	struct rte_eth_stats stats;
	struct rte_mbuf *m[5];

	rig_exchange_one(&self->rig, 0);
	txq->range.lkey = prm_be32_of(0xdead00);
	for (uint32_t i = 0; i < 5; i++)
		m[i] = rig_packet(&self->rig, 100, i);
	ASSERT_TRUE(rig_send(&self->rig, m, 5));
	ASSERT_TRUE(rig_wait(tx_recovered, &self->rig, want));
	txq->range = good;
	rig_exchange_one(&self->rig, 1);

	EXPECT_EQ(5, rig_xstat(&self->rig, "tx_lost_packets"));
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(2, stats.opackets);
	EXPECT_EQ(400, stats.obytes);
	EXPECT_EQ(5, stats.oerrors);
	self->rig.before.mistakes++; /* on purpose: the launcher counts it */
}
