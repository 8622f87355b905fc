/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_desc_status.h"
#include "port_rig.h"

/* States and numbers of descriptors, and freeing packets that were sent. */

FIXTURE(desc_status)
{
	struct port_rig rig;
	uint16_t port;
	void *txq;
};
FIXTURE_SETUP(desc_status)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .eth.txmode.offloads =
								   RTE_ETH_TX_OFFLOAD_MULTI_SEGS });
	self->port = self->rig.port;
	self->txq = rte_eth_devices[self->port].data->tx_queues[0];
}
FIXTURE_TEARDOWN(desc_status)
{
	port_rig_down(&self->rig);
}

/* Sends @n packets in one burst, with the seeds from 0 on. */
static void send_packets(const struct port_rig *rig, uint16_t n)
{
	struct rte_mbuf *m[PORT_RIG_RING];

	for (uint16_t i = 0; i < n; i++)
		m[i] = port_rig_make_packet(rig, 100, i);
	ASSERT_EQ(n, rte_eth_tx_burst(rig->port, 0, m, n));
}

static void receive_packets(const struct port_rig *rig, uint32_t n)
{
	struct rte_mbuf *m;

	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 100, i);
		rte_pktmbuf_free(m);
	}
}

static bool has_count(const struct port_rig *rig, void *arg)
{
	return rte_eth_rx_queue_count(rig->port, 0) == *(int *)arg;
}

TEST_F(desc_status, receive_count_and_states_follow_the_packets)
{
	int n = 100;
	struct rte_mbuf *m[40];

	EXPECT_EQ(0, rte_eth_rx_queue_count(self->port, 0));
	EXPECT_EQ(RTE_ETH_RX_DESC_AVAIL, rte_eth_rx_descriptor_status(self->port, 0, 0));
	/* two laps of the ring change the owner bit of CQEs */
	for (int lap = 0; lap < 12; lap++) {
		send_packets(&self->rig, (uint16_t)n);
		ASSERT_TRUE(port_rig_wait_until(has_count, &self->rig, &n));
		EXPECT_EQ(RTE_ETH_RX_DESC_DONE, rte_eth_rx_descriptor_status(self->port, 0, 0));
		EXPECT_EQ(RTE_ETH_RX_DESC_DONE, rte_eth_rx_descriptor_status(self->port, 0, 99));
		EXPECT_EQ(RTE_ETH_RX_DESC_AVAIL, rte_eth_rx_descriptor_status(self->port, 0, 100));
		receive_packets(&self->rig, (uint32_t)n);
	}
	send_packets(&self->rig, 100);
	ASSERT_TRUE(port_rig_wait_until(has_count, &self->rig, &n));
	/* a burst refills 64 slots at a time, so that 1240 % 64 = 24 of them have no buffer now */
	ASSERT_EQ(40, rte_eth_rx_burst(self->port, 0, m, 40));
	rte_pktmbuf_free_bulk(m, 40);
	EXPECT_EQ(60, rte_eth_rx_queue_count(self->port, 0));
	EXPECT_EQ(RTE_ETH_RX_DESC_UNAVAIL,
		  rte_eth_rx_descriptor_status(self->port, 0, PORT_RIG_RING - 1));
	EXPECT_EQ(RTE_ETH_RX_DESC_UNAVAIL,
		  rte_eth_rx_descriptor_status(self->port, 0, PORT_RIG_RING - 24));
	EXPECT_EQ(RTE_ETH_RX_DESC_AVAIL,
		  rte_eth_rx_descriptor_status(self->port, 0, PORT_RIG_RING - 25));
	EXPECT_EQ(-EINVAL, rte_eth_rx_descriptor_status(self->port, 0, PORT_RIG_RING));
	EXPECT_EQ(-EINVAL, rte_eth_rx_descriptor_status(self->port, 0, UINT16_MAX));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_count(self->port, 1));
}

static bool is_free(const struct port_rig *rig, void *arg)
{
	return rte_eth_tx_descriptor_status(rig->port, 0, *(uint16_t *)arg) == RTE_ETH_TX_DESC_DONE;
}

TEST_F(desc_status, send_states_follow_the_packets)
{
	uint16_t last = PORT_RIG_RING - 1;

	NEEDS_EMU("to pause the device");
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE, rte_eth_tx_descriptor_status(self->port, 0, 0));
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE, rte_eth_tx_descriptor_status(self->port, 0, last));
	EXPECT_EQ(0, devx_eth_tx_queue_count(self->txq));
	self->rig.emu->pause();
	send_packets(&self->rig, 64);
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE, rte_eth_tx_descriptor_status(self->port, 0, last - 64));
	EXPECT_EQ(RTE_ETH_TX_DESC_FULL,
		  rte_eth_tx_descriptor_status(self->port, 0, (uint16_t)(last - 63)));
	EXPECT_EQ(RTE_ETH_TX_DESC_FULL, rte_eth_tx_descriptor_status(self->port, 0, last));
	EXPECT_EQ(64, devx_eth_tx_queue_count(self->txq));
	EXPECT_EQ(-EINVAL, rte_eth_tx_descriptor_status(self->port, 0, PORT_RIG_RING));
	self->rig.emu->resume();
	EXPECT_TRUE(port_rig_wait_until(is_free, &self->rig, &last));
	EXPECT_EQ(0, devx_eth_tx_queue_count(self->txq));
	receive_packets(&self->rig, 64);
}

static bool has_freed(const struct port_rig *rig, void *arg)
{
	const int n = rte_eth_tx_done_cleanup(rig->port, 0, 0);

	*(int *)arg += n;
	return n;
}

TEST_F(desc_status, cleanup_frees_at_most_the_requested_number_of_packets)
{
	unsigned int avail;
	struct rte_mbuf *m;
	int n = 0;

	EXPECT_EQ(0, rte_eth_tx_done_cleanup(self->port, 0, 0));
	send_packets(&self->rig, 64);
	receive_packets(&self->rig, 64);
	avail = rte_mempool_avail_count(self->rig.pool);
	/* the CQE may follow the last packet */
	while (!n)
		n = rte_eth_tx_done_cleanup(self->port, 0, 10);
	EXPECT_EQ(10, n);
	EXPECT_EQ(avail + 10, rte_mempool_avail_count(self->rig.pool));
	EXPECT_EQ(20, rte_eth_tx_done_cleanup(self->port, 0, 20));
	EXPECT_EQ(34, rte_eth_tx_done_cleanup(self->port, 0, 0));
	EXPECT_EQ(avail + 64, rte_mempool_avail_count(self->rig.pool));
	EXPECT_EQ(0, rte_eth_tx_done_cleanup(self->port, 0, 0));
	EXPECT_EQ(-EINVAL, rte_eth_tx_done_cleanup(self->port, 1, 0)); /* no such queue */
	/* a burst between two cleanups frees the rest itself */
	send_packets(&self->rig, 64);
	receive_packets(&self->rig, 64);
	for (n = 0; !n;)
		n = rte_eth_tx_done_cleanup(self->port, 0, 1);
	send_packets(&self->rig, 1);
	receive_packets(&self->rig, 1);
	EXPECT_EQ(0,
		  rte_eth_tx_done_cleanup(self->port, 0, 0)); /* posts the NOP, which has a CQE */
	for (n = 0; !n;)
		n = rte_eth_tx_done_cleanup(self->port, 0, 0);
	EXPECT_EQ(1, n);
	m = port_rig_make_packet(&self->rig, 100, 0);
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	receive_packets(&self->rig, 1);
}

TEST_F(desc_status, cleanup_counts_packets_and_not_segments)
{
	struct rte_mbuf *m[32];
	int n = 0;

	for (uint16_t i = 0; i < RTE_DIM(m); i++) {
		struct rte_mbuf *tail = rte_pktmbuf_alloc(self->rig.pool);

		m[i] = port_rig_make_packet(&self->rig, 100, i);
		rte_pktmbuf_append(tail, 40);
		ASSERT_EQ(0, rte_pktmbuf_chain(m[i], tail));
	}
	ASSERT_EQ(RTE_DIM(m), rte_eth_tx_burst(self->port, 0, m, RTE_DIM(m)));
	while (!n)
		n = rte_eth_tx_done_cleanup(self->port, 0, 5);
	EXPECT_EQ(5, n);
	EXPECT_TRUE(port_rig_wait_until(has_freed, &self->rig, &n));
	EXPECT_EQ(RTE_DIM(m), n);
	EXPECT_EQ(0, devx_eth_tx_queue_count(self->txq));
}

TEST_F(desc_status, a_stopped_queue_has_no_descriptors)
{
	send_packets(&self->rig, 10);
	receive_packets(&self->rig, 10);
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->port, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(self->port, 0));
	EXPECT_EQ(0, rte_eth_rx_queue_count(self->port, 0));
	EXPECT_EQ(RTE_ETH_RX_DESC_UNAVAIL, rte_eth_rx_descriptor_status(self->port, 0, 0));
	EXPECT_EQ(RTE_ETH_TX_DESC_UNAVAIL, rte_eth_tx_descriptor_status(self->port, 0, 0));
	EXPECT_EQ(0, devx_eth_tx_queue_count(self->txq));
	EXPECT_EQ(0, rte_eth_tx_done_cleanup(self->port, 0, 0));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->port, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->port, 0));
	EXPECT_EQ(RTE_ETH_RX_DESC_AVAIL, rte_eth_rx_descriptor_status(self->port, 0, 0));
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE, rte_eth_tx_descriptor_status(self->port, 0, 0));
	port_rig_exchange_one(&self->rig, 1);
}
