/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <rte_interrupts.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "queue/devx_tx_drain.h"
#include "wait_limit.h"

/* Start and stop of a queue while the port is started, and deferred start. */

enum { N_QUEUES = 3, N_PACKETS = 50, SHORT_WAIT_MS = 20 };

FIXTURE(queue_state)
{
	struct port_rig rig;
	struct rte_eth_dev_data *data;
};

static const struct port_rig_config several = { .n_rxq = N_QUEUES, .n_txq = N_QUEUES };

FIXTURE_SETUP(queue_state)
{
	port_rig_up(&self->rig, &several);
	self->data = rte_eth_devices[self->rig.port].data;
}
FIXTURE_TEARDOWN(queue_state)
{
	port_rig_down(&self->rig);
}

/* Sends @n packets on Tx queue @queue, with the seeds from @seed on. */
static void send_packets(const struct port_rig *rig, uint16_t queue, uint32_t n, uint32_t seed)
{
	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, 200, seed + i);

		ASSERT_NE(NULL, m);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, queue, &m, 1));
	}
}

/* Receives @n packets and expects them unchanged, with the seeds from @seed on. */
static void receive_packets(const struct port_rig *rig, uint32_t n, uint32_t seed)
{
	struct rte_mbuf *m;

	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 200, seed + i);
		rte_pktmbuf_free(m);
	}
}

struct count {
	uint64_t (*get)(const struct port_rig *rig);
	uint64_t from, n;
};

static bool has_counted(const struct port_rig *rig, void *arg)
{
	const struct count *c = arg;

	return c->get(rig) - c->from >= c->n;
}

static uint64_t get_rx_errors(const struct port_rig *rig)
{
	return port_rig_get_counters(rig).rx_error;
}

static uint64_t get_received(const struct port_rig *rig)
{
	return port_rig_get_counters(rig).rx_uc_packets;
}

/* ---- Rx ---------------------------------------------------------------------------------- */

TEST_F(queue_state, a_stopped_receive_queue_returns_its_mbufs_and_starts_again)
{
	const struct port_rig *rig = &self->rig;
	struct count dropped = { get_rx_errors, 0, N_PACKETS };
	struct rte_mbuf *m;

	NEEDS_EMU("to count dropped frames");
	for (uint32_t k = 0; k < 3; k++) {
		const unsigned int avail = rte_mempool_avail_count(rig->pool);

		send_packets(rig, 0, N_PACKETS, k);
		receive_packets(rig, N_PACKETS, k);
		ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(rig->port, 0));
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, self->data->rx_queue_state[0]);
		EXPECT_LE(avail + PORT_RIG_RING - N_PACKETS, rte_mempool_avail_count(rig->pool));
		dropped.from = get_rx_errors(rig);
		send_packets(rig, 1, N_PACKETS, 0);
		EXPECT_TRUE(port_rig_wait_until(has_counted, rig, &dropped));
		EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
		ASSERT_EQ(0, rte_eth_dev_rx_queue_start(rig->port, 0));
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STARTED, self->data->rx_queue_state[0]);
	}
	send_packets(rig, 0, N_PACKETS, 7);
	receive_packets(rig, N_PACKETS, 7);
}

TEST_F(queue_state, packets_in_a_receive_queue_that_stops_count_as_lost)
{
	struct count arrived = { get_received, get_received(&self->rig), N_PACKETS };

	NEEDS_EMU("to count received frames");
	send_packets(&self->rig, 0, N_PACKETS, 0);
	EXPECT_TRUE(port_rig_wait_until(has_counted, &self->rig, &arrived));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	EXPECT_EQ(N_PACKETS, port_rig_get_xstat(&self->rig, "rx_lost_packets"));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(queue_state, a_pool_without_buffers_refuses_the_start_of_a_receive_queue)
{
	struct rte_mbuf *m[PORT_RIG_POOL];
	unsigned int n;

	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	n = rte_mempool_avail_count(self->rig.pool) - 100;
	ASSERT_EQ(0, rte_pktmbuf_alloc_bulk(self->rig.pool, m, n));
	port_rig_read_log();
	EXPECT_EQ(-ENOMEM, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	EXPECT_SUBSTR("pool rig has 100 free buffers, but the queue needs 512",
		      port_rig_read_log());
	EXPECT_EQ(100, rte_mempool_avail_count(self->rig.pool));
	EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, self->data->rx_queue_state[0]);
	rte_pktmbuf_free_bulk(m, n);
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	port_rig_exchange_one(&self->rig, 1);
}

/* ---- Tx ---------------------------------------------------------------------------------- */

TEST_F(queue_state, a_send_queue_sends_every_posted_packet_before_it_stops)
{
	const struct port_rig *rig = &self->rig;
	struct rte_mbuf *m;

	for (uint32_t k = 0; k < 5; k++) {
		send_packets(rig, 0, N_PACKETS + k, k);
		ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 0));
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, self->data->tx_queue_state[0]);
		receive_packets(rig, N_PACKETS + k, k);
		m = port_rig_make_packet(rig, 200, 0);
		EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, &m, 1));
		rte_pktmbuf_free(m);
		send_packets(rig, 2, 1, 9);
		receive_packets(rig, 1, 9);
		ASSERT_EQ(0, rte_eth_dev_tx_queue_start(rig->port, 0));
	}
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_lost_packets"));
	port_rig_exchange_one(rig, 1);
}

/* The device is paused, so that the ring stays full: the stop gives up at its limit. */
TEST_F(queue_state, packets_that_the_device_does_not_send_in_time_count_as_lost)
{
	unsigned int avail;

	NEEDS_EMU("to pause the device");
	devx_eth_send_wait_ms = SHORT_WAIT_MS;
	avail = rte_mempool_avail_count(self->rig.pool);
	self->rig.emu->pause();
	send_packets(&self->rig, 1, PORT_RIG_RING, 0);
	EXPECT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	EXPECT_EQ(avail, rte_mempool_avail_count(self->rig.pool));
	EXPECT_EQ(PORT_RIG_RING, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(PORT_RIG_RING, port_rig_get_xstat(&self->rig, "tx_q1_packets"));
	devx_eth_send_wait_ms = STOP_WAIT_MS;
	self->rig.emu->resume();
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 1));
	send_packets(&self->rig, 1, N_PACKETS, 5);
	receive_packets(&self->rig, N_PACKETS, 5);
}

static void *resume_soon(void *arg)
{
	const struct devx_emu_ctl *emu = arg;

	usleep(20000);
	emu->resume();
	return NULL;
}

/* The device goes on while the stop waits. */
TEST_F(queue_state, a_stop_of_the_port_sends_every_posted_packet)
{
	const struct port_rig *rig = &self->rig;
	struct count arrived = { get_received, 0, N_QUEUES * N_PACKETS };
	struct rte_eth_stats stats;
	pthread_t thread;

	NEEDS_EMU("to pause the device");
	arrived.from = get_received(rig);
	rig->emu->pause();
	for (uint16_t q = 0; q < N_QUEUES; q++)
		send_packets(rig, q, N_PACKETS, q);
	ASSERT_EQ(0, pthread_create(&thread, NULL, resume_soon, (void *)rig->emu));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	pthread_join(thread, NULL);
	EXPECT_TRUE(has_counted(rig, &arrived));
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	EXPECT_EQ(N_QUEUES * N_PACKETS, stats.opackets);
	EXPECT_EQ(0, stats.oerrors);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 1);
}

TEST_F(queue_state, packets_that_a_stop_of_the_port_cuts_off_count_as_lost)
{
	struct rte_eth_stats stats;

	NEEDS_EMU("to pause the device");
	devx_eth_send_wait_ms = SHORT_WAIT_MS;
	self->rig.emu->pause();
	send_packets(&self->rig, 1, PORT_RIG_RING, 0);
	send_packets(&self->rig, 2, N_PACKETS, 0);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	devx_eth_send_wait_ms = STOP_WAIT_MS;
	self->rig.emu->resume();
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(PORT_RIG_RING + N_PACKETS, stats.opackets);
	EXPECT_EQ((PORT_RIG_RING + N_PACKETS) * 200, stats.obytes);
	EXPECT_EQ(PORT_RIG_RING + N_PACKETS, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
}

TEST_F(queue_state, packets_lost_after_a_reset_of_statistics_make_no_count_negative)
{
	struct rte_eth_stats stats;

	NEEDS_EMU("to pause the device");
	devx_eth_send_wait_ms = SHORT_WAIT_MS;
	self->rig.emu->pause();
	send_packets(&self->rig, 1, N_PACKETS, 0);
	ASSERT_EQ(0, rte_eth_stats_reset(self->rig.port));
	send_packets(&self->rig, 1, 3, 0);
	EXPECT_EQ(0, rte_eth_dev_tx_queue_stop(self->rig.port, 1));
	devx_eth_send_wait_ms = STOP_WAIT_MS;
	self->rig.emu->resume();
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(3, stats.opackets);
	EXPECT_EQ(3 * 200, stats.obytes);
	EXPECT_EQ(N_PACKETS + 3, stats.oerrors);
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(self->rig.port, 1));
	send_packets(&self->rig, 1, 1, 5);
	receive_packets(&self->rig, 1, 5);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(4, stats.opackets);
	EXPECT_EQ(4 * 200, stats.obytes);
}

/* ---- deferred start, interrupts ---------------------------------------------------------- */

TEST_F(queue_state, a_queue_with_deferred_start_waits_for_its_own_start)
{
	const struct rte_eth_rxconf rx = { .rx_deferred_start = 1 };
	const struct rte_eth_txconf tx = { .tx_deferred_start = 1 };
	const uint16_t port = self->rig.port;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_txq_info txq;
	struct rte_mbuf *m;

	ASSERT_EQ(0, rte_eth_dev_stop(port));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(port, 0, PORT_RIG_RING, 0, &rx, self->rig.pool));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(port, 1, PORT_RIG_RING, 0, &tx));
	for (uint32_t i = 0; i < 2; i++) { /* the second start of the port defers again */
		ASSERT_EQ(0, rte_eth_dev_start(port));
		ASSERT_EQ(0, rte_eth_rx_queue_info_get(port, 0, &rxq));
		EXPECT_EQ(1, rxq.conf.rx_deferred_start);
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, rxq.queue_state);
		ASSERT_EQ(0, rte_eth_rx_queue_info_get(port, 1, &rxq));
		EXPECT_EQ(0, rxq.conf.rx_deferred_start);
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STARTED, rxq.queue_state);
		ASSERT_EQ(0, rte_eth_tx_queue_info_get(port, 1, &txq));
		EXPECT_EQ(1, txq.conf.tx_deferred_start);
		EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, txq.queue_state);
		EXPECT_EQ(0, rte_eth_rx_burst(port, 0, &m, 1));
		m = port_rig_make_packet(&self->rig, 200, 0);
		EXPECT_EQ(0, rte_eth_tx_burst(port, 1, &m, 1));
		rte_pktmbuf_free(m);
		ASSERT_EQ(0, rte_eth_dev_rx_queue_start(port, 0));
		ASSERT_EQ(0, rte_eth_dev_tx_queue_start(port, 1));
		send_packets(&self->rig, 1, N_PACKETS, 3);
		receive_packets(&self->rig, N_PACKETS, 3);
		ASSERT_EQ(0, rte_eth_dev_stop(port));
	}
	ASSERT_EQ(0, rte_eth_dev_start(port));
}

/* Sleeps until an interrupt comes. Return: the number of interrupts, 0 or 1 */
static int sleep_until_interrupt(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms);
}

TEST_F(queue_state, the_start_of_a_receive_queue_wakes_its_thread)
{
	const struct port_rig_config config = { .eth.intr_conf.rxq = 1 };
	const uint16_t port = self->rig.port;

	ASSERT_EQ(0, rte_eth_dev_stop(port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	ASSERT_EQ(0, rte_eth_dev_rx_intr_ctl_q(port, 0, RTE_EPOLL_PER_THREAD, RTE_INTR_EVENT_ADD,
					       NULL));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(port, 0));
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(port, 0));
	EXPECT_EQ(0, sleep_until_interrupt(20));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(port, 0));
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(port, 0));
	EXPECT_EQ(0, sleep_until_interrupt(20));
	send_packets(&self->rig, 0, 1, 1);
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	receive_packets(&self->rig, 1, 1);
}
