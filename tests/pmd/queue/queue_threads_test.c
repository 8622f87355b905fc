/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Each of several threads bursts on a pair of queues while another pair stops and starts. */

enum {
	N_THREADS = 8,
	TOGGLED = N_THREADS, /* the pair of queues that no thread bursts on */
	N_TOGGLES = 100,
	SMALL_RING = 128,
	BYTES = 100,
	PAYLOAD_AT = 42,
};

FIXTURE(queue_threads)
{
	struct port_rig rig;
	/* Each sending queue has a payload. A thread compares with it, and allocates nothing. */
	uint8_t payload[N_THREADS + 1][BYTES - PAYLOAD_AT];
};
FIXTURE_SETUP(queue_threads)
{
	port_rig_probe(&self->rig);
	for (uint32_t seed = 0; seed <= TOGGLED; seed++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, BYTES, seed);

		ASSERT_NE(NULL, m);
		memcpy(self->payload[seed], rte_pktmbuf_mtod_offset(m, void *, PAYLOAD_AT),
		       sizeof(self->payload[seed]));
		rte_pktmbuf_free(m);
	}
}
FIXTURE_TEARDOWN(queue_threads)
{
	port_rig_down(&self->rig);
}

/*
 * A thread with its queues. All threads share @sent and @received, because RSS spreads the packets
 * of a thread over all receive queues.
 */
struct worker {
	const struct ct_fix_queue_threads *test;
	const struct port_rig *rig;
	pthread_t thread;
	uint16_t queue;
	const bool *stop;
	uint64_t *sent, *received;
	uint64_t own_sent, wrong;
};

/* Sends a packet whose UDP source port is @source. Returns whether the queue took it. */
static bool send_one(struct worker *w, uint16_t source)
{
	struct rte_mbuf *m = port_rig_make_packet(w->rig, BYTES, w->queue);

	if (!m)
		return false;
	*rte_pktmbuf_mtod_offset(m, rte_be16_t *, 34) = rte_cpu_to_be_16(source);
	__atomic_fetch_add(w->sent, 1, __ATOMIC_RELAXED);
	if (rte_eth_tx_burst(w->rig->port, w->queue, &m, 1)) {
		__atomic_store_n(&w->own_sent, w->own_sent + 1, __ATOMIC_RELAXED);
		return true;
	}
	__atomic_fetch_sub(w->sent, 1, __ATOMIC_RELAXED);
	rte_pktmbuf_free(m);
	return false;
}

/* Compares the payload with what a worker sends: its seed is the number of a queue. */
static bool is_right(const struct ct_fix_queue_threads *self, const struct rte_mbuf *m)
{
	bool right = false;

	for (uint32_t seed = 0; m->pkt_len == BYTES && seed <= TOGGLED; seed++)
		right |= !memcmp(rte_pktmbuf_mtod_offset(m, void *, PAYLOAD_AT),
				 self->payload[seed], sizeof(self->payload[seed]));
	return right;
}

static void receive_some(struct worker *w)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	const uint16_t n = rte_eth_rx_burst(w->rig->port, w->queue, m, PORT_RIG_BURST);

	for (uint16_t i = 0; i < n; i++)
		w->wrong += !is_right(w->test, m[i]);
	rte_pktmbuf_free_bulk(m, n);
	__atomic_fetch_add(w->received, n, __ATOMIC_RELAXED);
}

static void *run_worker(void *arg)
{
	struct worker *w = arg;
	uint16_t source = 0;

	while (!__atomic_load_n(w->stop, __ATOMIC_RELAXED)) {
		for (int i = 0; i < 8; i++)
			send_one(w, source++);
		receive_some(w);
		sched_yield();
	}
	return NULL;
}

static bool has_sent(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(rig);
	return send_one(arg, 0);
}

/* struct progress - what each worker had sent at a time */
struct progress {
	const struct worker *workers;
	uint64_t before[N_THREADS];
};

static void note_progress(struct progress *p)
{
	for (int i = 0; i < N_THREADS; i++)
		p->before[i] = __atomic_load_n(&p->workers[i].own_sent, __ATOMIC_RELAXED);
}

static bool have_all_sent(const struct port_rig *rig, void *arg)
{
	const struct progress *p = arg;
	bool all = true;

	RTE_SET_USED(rig);
	for (int i = 0; i < N_THREADS; i++)
		all &= __atomic_load_n(&p->workers[i].own_sent, __ATOMIC_RELAXED) > p->before[i];
	return all;
}

/*
 * Stops and starts both toggled queues; sends a packet while the send queue runs. Each worker has
 * sent a packet before the first stop, and sends one between two stops now and then.
 */
static void toggle_queues(struct worker *w, const struct worker *workers)
{
	const uint16_t port = w->rig->port;
	struct progress progress = { .workers = workers };

	for (int i = 0; i < N_TOGGLES; i++) {
		if (i % (N_TOGGLES / 5) == 0) {
			EXPECT_TRUE(port_rig_wait_until(have_all_sent, w->rig, &progress));
			note_progress(&progress);
		}
		EXPECT_EQ(0, rte_eth_dev_rx_queue_stop(port, TOGGLED));
		EXPECT_EQ(0, rte_eth_dev_tx_queue_stop(port, TOGGLED));
		EXPECT_EQ(0, rte_eth_dev_tx_queue_start(port, TOGGLED));
		EXPECT_EQ(0, rte_eth_dev_rx_queue_start(port, TOGGLED));
		EXPECT_TRUE(port_rig_wait_until(has_sent, w->rig, w));
		receive_some(w);
	}
}

static uint64_t count_losses(const struct port_rig *rig, const struct devx_emu_counters *before)
{
	const struct devx_emu_counters now = port_rig_get_counters(rig);

	return now.rx_error - before->rx_error + now.rx_out_of_buffer - before->rx_out_of_buffer +
	       port_rig_get_xstat(rig, "rx_lost_packets");
}

/* All that were sent: received, or counted by the device or the driver. */
struct balance {
	struct worker *workers;
	const struct devx_emu_counters *before;
};

static bool is_balanced(const struct port_rig *rig, void *arg)
{
	struct balance *b = arg;

	for (int i = 0; i <= N_THREADS; i++)
		receive_some(&b->workers[i]);
	return *b->workers->sent == *b->workers->received + count_losses(rig, b->before);
}

TEST_F(queue_threads, queues_of_other_threads_lose_nothing_while_one_stops_and_starts)
{
	const struct port_rig_config config = {
		.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_NONFRAG_IPV4_UDP,
		.n_rxq = N_THREADS + 1,
		.n_txq = N_THREADS + 1,
		.n_rx_desc = SMALL_RING,
		.n_tx_desc = SMALL_RING,
	};
	struct worker w[N_THREADS + 1];
	uint64_t sent = 0, received = 0;
	bool stop = false;
	struct devx_emu_counters before;

	NEEDS_EMU("to count dropped frames");
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	before = port_rig_get_counters(&self->rig);
	for (uint16_t i = 0; i <= N_THREADS; i++) {
		w[i] = (struct worker){ .test = self,
					.rig = &self->rig,
					.queue = i,
					.stop = &stop,
					.sent = &sent,
					.received = &received };
		if (i < N_THREADS)
			ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, run_worker, &w[i]));
	}
	toggle_queues(&w[TOGGLED], w);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (uint16_t i = 0; i < N_THREADS; i++) {
		ASSERT_EQ(0, pthread_join(w[i].thread, NULL));
		EXPECT_LT(0, w[i].own_sent);
		EXPECT_EQ(0, w[i].wrong);
	}
	struct balance b = { w, &before };

	EXPECT_TRUE(port_rig_wait_until(is_balanced, &self->rig, &b));
	printf("%lu sent, %lu received, %lu lost by name\n", sent, received,
	       count_losses(&self->rig, &before));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_recoveries"));
	EXPECT_LT(N_TOGGLES, received);
}
