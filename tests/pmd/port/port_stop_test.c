/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_txq.h"
#include "port_rig.h"

/* Packets in the rings of a port that stops are counted as lost. */

enum { N_TXQ = 2, N_PACKETS = 50, BYTES = 200 };

FIXTURE(port_stop)
{
	struct port_rig rig;
	struct rte_eth_stats stats; /* after a stop */
};
FIXTURE_SETUP(port_stop)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ });
	NEEDS_EMU("to make a queue fail and to count frames");
}
FIXTURE_TEARDOWN(port_stop)
{
	port_rig_down(&self->rig);
}

static void send_packets(const struct port_rig *rig, uint16_t queue, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, BYTES, i);

		ASSERT_NE(NULL, m);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, queue, &m, 1));
	}
}

static void stop_port(struct ct_fix_port_stop *self)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &self->stats));
}

/* The port stops before a burst has seen the error CQE. */
TEST_F(port_stop, packets_of_a_send_queue_in_error_state_count_as_lost)
{
	const struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[1];

	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	self->rig.emu->pause();
	send_packets(&self->rig, 0, 3);
	send_packets(&self->rig, 1, 4); /* the device flushes them */
	self->rig.emu->resume();
	stop_port(self);
	EXPECT_EQ(3 + 4, self->stats.opackets);
	EXPECT_EQ((3 + 4) * BYTES, self->stats.obytes);
	EXPECT_EQ(4, self->stats.oerrors);
}

static bool has_received(const struct port_rig *rig, void *want)
{
	return port_rig_get_counters(rig).rx_uc_packets == *(uint64_t *)want;
}

TEST_F(port_stop, received_packets_that_no_burst_took_count_as_lost)
{
	uint64_t want = port_rig_get_counters(&self->rig).rx_uc_packets;

	for (uint32_t k = 1; k <= 3; k++) {
		want += N_PACKETS;
		send_packets(&self->rig, 0, N_PACKETS);
		EXPECT_TRUE(port_rig_wait_until(has_received, &self->rig, &want));
		stop_port(self);
		EXPECT_EQ(0, self->stats.ierrors); /* no packet was erroneous */
		EXPECT_EQ(k * N_PACKETS, port_rig_get_xstat(&self->rig, "rx_lost_packets"));
		EXPECT_EQ(0, self->stats.ipackets);
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	port_rig_exchange_one(&self->rig, 1);
}
