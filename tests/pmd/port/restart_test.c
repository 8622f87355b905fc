/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include "devx_port.h"
#include "devx_rxq.h"
#include "port_rig.h"

/* A port that starts and stops many times, or with other queues, keeps no memory and no objects. */

enum {
	N_QUEUES = 16,
	WARM_CYCLES = 10,
#ifdef PMD_SANITIZED
	CYCLES = 5,
	FREE_PAGES = 1 << 20, /* the sanitizer keeps freed memory */
#else
	CYCLES = 20,    /* cycles of a round; PMD_RESTART_CYCLES sets another number */
	FREE_PAGES = 2, /* that the allocator of the C library may keep */
#endif
	MAX_ROUNDS = 10,
	SMALL_RING = 64,
};

FIXTURE(restart)
{
	struct port_rig rig;
};
FIXTURE_SETUP(restart)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(restart)
{
	port_rig_down(&self->rig);
}

/* Memory of the process, and objects of emu. */
struct usage {
	size_t heap_bytes;
	unsigned int heap_blocks;
	long rss_pages;
	struct devx_emu_counters emu;
};

static struct usage get_usage(const struct port_rig *rig)
{
	struct rte_malloc_socket_stats heap;
	struct usage u = { .emu = port_rig_get_counters(rig) };
	FILE *statm = fopen("/proc/self/statm", "r");

	EXPECT_EQ(0, rte_malloc_get_socket_stats(0, &heap));
	u.heap_bytes = heap.heap_allocsz_bytes;
	u.heap_blocks = heap.alloc_count;
	EXPECT_EQ(1, fscanf(statm, "%*d %ld", &u.rss_pages));
	fclose(statm);
	return u;
}

static void expect_usage(const struct port_rig *rig, const struct usage *then)
{
	const struct usage now = get_usage(rig);

	EXPECT_LE(now.heap_bytes, then->heap_bytes + 1024); /* sizes of blocks are rounded */
	EXPECT_EQ(then->heap_blocks, now.heap_blocks);
	port_rig_expect_objects(rig, &then->emu);
}

/*
 * Plays rounds until one takes no more pages. A leak takes some in every round; a page that is
 * written for the first time, or that the allocator keeps, is taken in one of them.
 */
static void expect_no_growth(struct port_rig *rig, void (*play)(struct port_rig *, void *),
			     void *arg)
{
	struct usage then;
	int round = 0;

	do {
		then = get_usage(rig);
		play(rig, arg);
		expect_usage(rig, &then);
	} while (get_usage(rig).rss_pages > then.rss_pages + FREE_PAGES && ++round < MAX_ROUNDS);
	EXPECT_GT(MAX_ROUNDS, round);
}

static const struct shape {
	const char *name;
	uint16_t n_rxq, n_txq, n_rx_desc, n_tx_desc;
	uint64_t rx_offloads, tx_offloads;
	bool other_pool;
} shapes[] = {
	{ "1+1", 1, 1, 512, 512, 0, 0, false },
	{ "16+16", 16, 16, 64, 128, RTE_ETH_RX_OFFLOAD_CHECKSUM, RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	  false },
	{ "4+8", 4, 8, 256, 1024, 0, RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE, true },
	{ "32+32", 32, 32, 64, 64, RTE_ETH_RX_OFFLOAD_CHECKSUM, 0, true },
	{ "1+4", 1, 4, 1024, 64, 0, RTE_ETH_TX_OFFLOAD_IPV4_CKSUM, false },
};

/* Configures and starts the port as @shape, moves a packet on every send queue, and stops it. */
static void run_shape(struct port_rig *rig, const struct shape *shape, struct rte_mempool *other)
{
	struct port_rig_config config = { .n_rxq = shape->n_rxq,
					  .n_txq = shape->n_txq,
					  .n_rx_desc = shape->n_rx_desc,
					  .n_tx_desc = shape->n_tx_desc };
	struct rte_mempool *pool = rig->pool;
	struct rte_mbuf *m;
	int rc;

	SCOPED_TRACE("shape %s", shape->name);
	config.eth.rxmode.offloads = shape->rx_offloads;
	config.eth.txmode.offloads = shape->tx_offloads;
	rig->pool = shape->other_pool ? other : pool;
	rc = port_rig_configure(rig, &config);
	rig->pool = pool;
	ASSERT_EQ(0, rc);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	for (uint16_t i = 0; i < shape->n_txq; i++) {
		m = port_rig_make_packet(rig, 200, i);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, i, &m, 1));
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 200, i);
		rte_pktmbuf_free(m);
	}
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
}

static void run_shapes(struct port_rig *rig, void *other)
{
	for (int time = 0; time < 2; time++)
		FOR_EACH_ROW (shape, shapes)
			run_shape(rig, shape, other);
}

TEST_F(restart, other_queues_rings_pools_and_offloads_keep_no_memory)
{
	struct rte_mempool *other =
		rte_pktmbuf_pool_create("other", PORT_RIG_POOL, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);

	ASSERT_NE(NULL, other);
	run_shapes(&self->rig, other);
	expect_no_growth(&self->rig, run_shapes, other);
	mbuf_pool_free(other);
}

/* Starts and stops the port @n times, and moves a packet in every tenth start. */
static void run_cycles(struct port_rig *rig, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		if (i % 10 == 0)
			port_rig_exchange_one(rig, i);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	}
}

static void time_cycles(struct port_rig *rig, void *arg)
{
	const uint32_t *n = arg;
	const uint64_t began = rte_get_timer_cycles();

	run_cycles(rig, *n);
	printf("%u cycles: %.2f ms each\n", *n,
	       1e3 * (double)(rte_get_timer_cycles() - began) / (double)rte_get_timer_hz() / *n);
}

TEST_F(restart, many_starts_of_16_and_16_queues_keep_no_memory)
{
	const struct port_rig_config config = { .n_rxq = N_QUEUES,
						.n_txq = N_QUEUES,
						.n_rx_desc = SMALL_RING,
						.n_tx_desc = SMALL_RING };
	const char *text = getenv("PMD_RESTART_CYCLES");
	uint32_t n = text ? RTE_MAX(1u, (uint32_t)atoi(text)) : CYCLES;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	run_cycles(&self->rig, WARM_CYCLES);
	expect_no_growth(&self->rig, time_cycles, &n);
}

/* Other ports register memory that EAL's heap gets, and pin it when the heap gives it back. */
TEST_F(restart, start_takes_the_same_memory_until_a_queue_is_set_up_again)
{
	struct port_rig *rig = &self->rig;
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	const char *addr;
	size_t used;

	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	addr = eth->rings.chunks->addr;
	used = get_usage(rig).heap_bytes;
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
		EXPECT_EQ(used, get_usage(rig).heap_bytes);
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		EXPECT_EQ(addr, eth->rings.chunks->addr);
		EXPECT_EQ(NULL, eth->rings.idle);
		port_rig_exchange_one(rig, i);
	}
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_NE(NULL, eth->rings.idle);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_tx_desc = 64 }));
	EXPECT_EQ(NULL, eth->rings.idle);
	EXPECT_GT(used, get_usage(rig).heap_bytes);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 9);
}
