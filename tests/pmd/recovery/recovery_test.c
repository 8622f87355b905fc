/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Packets that cannot be sent, queues that break, pools that run dry. */

FIXTURE(recover) { struct port_rig rig; };
FIXTURE_SETUP(recover) { port_rig_up(&self->rig, &(struct port_rig_config){0}); }
FIXTURE_TEARDOWN(recover) { port_rig_down(&self->rig); }

static void
count_free(void *addr, void *arg)
{
	RTE_SET_USED(addr);
	++*(int *)arg;
}

/* Memory that EAL does not know never reaches the device: no error CQE, and the queue works. */
TEST_F(recover, a_packet_in_unregistered_memory_is_dropped_and_counted)
{
	const size_t bytes = 1 << 16;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rte_mbuf_ext_shared_info shared = { .free_cb = count_free };
	struct rte_mbuf *m[3];
	int freed = 0;

	ASSERT_NE(MAP_FAILED, memory);
	shared.fcb_opaque = &freed;
	rte_mbuf_ext_refcnt_set(&shared, 1);
	m[0] = port_rig_make_packet(&self->rig, 200, 0);
	m[1] = rte_pktmbuf_alloc(self->rig.pool);
	m[2] = port_rig_make_packet(&self->rig, 200, 1);
	rte_pktmbuf_attach_extbuf(m[1], memory, 0, (uint16_t)(bytes - 1), &shared);
	memset(rte_pktmbuf_append(m[1], 100), 0, 100);

	ASSERT_TRUE(port_rig_send(&self->rig, m, 3));
	EXPECT_EQ(1, freed);
	for (uint32_t i = 0; i < 2; i++) {
		ASSERT_EQ(1, port_rig_receive(&self->rig, m, 1));
		port_rig_expect_packet(&self->rig, m[0], 200, i);
		rte_pktmbuf_free(m[0]);
	}
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_unregistered_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_wqe_errors"));
	EXPECT_EQ(2, port_rig_get_xstat(&self->rig, "tx_good_packets"));
	munmap(memory, bytes);
}

/* A pool made of memory of its own, outside EAL's, is registered when the port starts. */
TEST_F(recover, a_pool_in_foreign_memory_is_registered_at_start)
{
	const size_t bytes = 1 << 20;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rte_mempool *pool;
	struct rte_mbuf *m, *p = port_rig_make_packet(&self->rig, 200, 5);

	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	pool = rte_mempool_create_empty("foreign", 64, 2048 + sizeof(struct rte_mbuf), 0,
					sizeof(struct rte_pktmbuf_pool_private), 0, 0);
	ASSERT_NE(NULL, pool);
	rte_pktmbuf_pool_init(pool, NULL);
	ASSERT_LT(0, rte_mempool_populate_iova(pool, memory, RTE_BAD_IOVA, bytes, NULL, NULL));
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));

	m = rte_pktmbuf_alloc(pool);
	memcpy(rte_pktmbuf_append(m, 200), rte_pktmbuf_mtod(p, void *), 200);
	rte_pktmbuf_free(p);
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	port_rig_expect_packet(&self->rig, m, 200, 5);
	rte_pktmbuf_free(m);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	rte_mempool_free(pool);
	munmap(memory, bytes);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

static const struct length {
	const char *name;
	uint32_t bytes;
	bool good;
} lengths[] = {
	{ "0", 0, false }, { "13", 13, false }, { "1518", 1518, true }, { "1519", 1519, false },
};

TEST_F_EACH(recover, a_packet_of_length, struct length, lengths)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, RTE_MAX(row->bytes, 60u), 0);

	rte_pktmbuf_trim(m, (uint16_t)(m->data_len - row->bytes));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(!row->good, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
	EXPECT_EQ(row->good, port_rig_get_xstat(&self->rig, "tx_good_packets"));
	if (row->good) {
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, row->bytes, 0);
		rte_pktmbuf_free(m);
	}
	port_rig_exchange_one(&self->rig, 1);
}

static bool
has_recovered(const struct port_rig *rig, void *arg)
{
	return port_rig_get_xstat(rig, arg) > 0;
}

/* The recovery timer repairs; the burst only looks at the queue, and so learns of it. */
static bool
has_tx_recovered(const struct port_rig *rig, void *arg)
{
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return has_recovered(rig, arg);
}

static bool
has_rx_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return has_recovered(rig, arg);
}

TEST_F(recover, a_send_queue_that_broke_sends_again)
{
	struct devx_eth_txq *txq = rte_eth_devices[self->rig.port].data->tx_queues[0];

	NEEDS_EMU("to break a queue");
	for (unsigned int i = 0; i < 3; i++) {
		char want[] = "tx_recoveries";

		port_rig_exchange_one(&self->rig, i);
		ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
		ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
		for (int k = 0; k < 4; k++) { /* into the broken queue: the device flushes them */
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

TEST_F(recover, a_receive_queue_that_broke_receives_again)
{
	struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];

	NEEDS_EMU("to break a queue");
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

/* Bursts until the repair's third command failed, that which makes the queue ready. */
static bool
has_repair_failed(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
}

TEST_F(recover, a_repair_that_fails_is_tried_again)
{
	struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	struct devx_eth_txq *txq = data->tx_queues[0];
	struct devx_eth_rxq *rxq = data->rx_queues[0];
	char tx[] = "tx_recoveries", rx[] = "rx_recoveries";
	struct rte_mbuf *m;

	NEEDS_EMU("to break a queue");
	for (uint32_t i = 0; i < PORT_RIG_RING + 3; i++) /* so that no counter is 0 */
		port_rig_exchange_one(&self->rig, i);
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 2, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	EXPECT_TRUE(port_rig_wait_until(has_repair_failed, &self->rig, NULL));
	EXPECT_TRUE(port_rig_wait_until(has_rx_recovered, &self->rig, rx));
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 2, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	m = port_rig_make_packet(&self->rig, 60, 0);
	rte_eth_tx_burst(self->rig.port, 0, &m, 1); /* the device flushes it */
	EXPECT_TRUE(port_rig_wait_until(has_repair_failed, &self->rig, NULL));
	EXPECT_TRUE(port_rig_wait_until(has_tx_recovered, &self->rig, tx));
	port_rig_exchange_one(&self->rig, 9);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(PORT_RIG_POOL, rte_mempool_avail_count(self->rig.pool));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

static bool
has_missed(const struct port_rig *rig, void *arg)
{
	struct rte_eth_stats stats;

	rte_eth_stats_get(rig->port, &stats);
	return stats.imissed == *(uint64_t *)arg;
}

/* Nobody receives: what finds no buffer is counted, by its name, to the packet. */
TEST_F(recover, packets_without_a_buffer_are_counted_as_missed)
{
	uint64_t want = 700 - PORT_RIG_RING;
	uint16_t got = 0, k;
	struct rte_mbuf *m[PORT_RIG_BURST];

	for (uint32_t i = 0; i < 700; i++) {
		m[0] = port_rig_make_packet(&self->rig, 60, i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	EXPECT_EQ(want, port_rig_get_xstat(&self->rig, "rx_out_of_buffer"));
	while (got < PORT_RIG_RING && (k = port_rig_receive(&self->rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port)); /* the count is not lost with the queue */
	EXPECT_TRUE(has_missed(&self->rig, &want));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_TRUE(has_missed(&self->rig, &want));
}

/* The application keeps every mbuf: receiving stops, is counted, and goes on when they return. */
TEST_F(recover, a_pool_that_ran_dry_is_survived)
{
	static struct rte_mbuf *hoard[PORT_RIG_POOL], *got[2 * PORT_RIG_RING];
	struct rte_eth_stats stats;
	unsigned int n = 0, k = 0;

	for (uint32_t i = 0; i < PORT_RIG_RING / 2; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, i);

		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	}
	while (n < PORT_RIG_POOL && (hoard[n] = rte_pktmbuf_alloc(self->rig.pool)))
		n++;
	while (k < PORT_RIG_RING / 2) {
		const uint16_t came = port_rig_receive(&self->rig, got + k, PORT_RIG_BURST);

		if (!came)
			FAIL("%u packets came", k);
		k += came;
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_LT(0, stats.rx_nombuf);
	rte_pktmbuf_free_bulk(hoard, n);
	rte_pktmbuf_free_bulk(got, k);
	for (uint32_t i = 0; i < 2 * PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
}
