/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include "devx_rxq.h"
#include "port_rig.h"

/* A port that starts and stops many times, or with other queues, keeps no memory and no objects. */

enum {
	N_QUEUES = 16,
	WARM_CYCLES = 10,
	CYCLES = 60, /* of the test; PMD_RESTART_CYCLES sets another number */
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

/* The allocator of the C library may keep a few free pages more. */
static void expect_usage(const struct port_rig *rig, const struct usage *then)
{
	const struct usage now = get_usage(rig);

	EXPECT_EQ(then->heap_bytes, now.heap_bytes);
	EXPECT_EQ(then->heap_blocks, now.heap_blocks);
	EXPECT_LE(now.rss_pages, then->rss_pages + 16);
	port_rig_expect_objects(rig, &then->emu);
}

static uint32_t get_n_cycles(void)
{
	const char *text = getenv("PMD_RESTART_CYCLES");

	return text ? (uint32_t)atoi(text) : CYCLES;
}

TEST_F(restart, many_starts_of_16_and_16_queues_keep_no_memory)
{
	const struct port_rig_config config = { .n_rxq = N_QUEUES,
						.n_txq = N_QUEUES,
						.n_rx_desc = SMALL_RING,
						.n_tx_desc = SMALL_RING };
	const uint32_t n = get_n_cycles();
	uint64_t began = 0;
	struct usage then;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		if (i % 10 == 0)
			port_rig_exchange_one(&self->rig, i);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		if (i + 1 == WARM_CYCLES) {
			then = get_usage(&self->rig);
			began = rte_get_timer_cycles();
		}
	}
	printf("%u cycles: %.2f ms each\n", n,
	       1e3 * (double)(rte_get_timer_cycles() - began) / (double)rte_get_timer_hz() /
		       (n - WARM_CYCLES));
	expect_usage(&self->rig, &then);
}
