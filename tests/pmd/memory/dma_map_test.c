/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>

#include "devx_port.h"
#include "loss_rig.h"
#include "memory_rig.h"

/* Memory that the application registers with EAL and maps: rte_dev_dma_map(). */

enum { PART = MEMORY_RIG_BYTES / 4 };

FIXTURE(dma_map)
{
	struct port_rig port;
	struct memory_rig rig;
};
FIXTURE_SETUP(dma_map)
{
	port_rig_probe(&self->port);
	memory_rig_up(&self->rig, &self->port);
	memory_rig_extmem_register(&self->rig);
}
FIXTURE_TEARDOWN(dma_map)
{
	loss_rig_forget();
	memory_rig_extmem_unregister(&self->rig);
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

static void start_port(struct ct_fix_dma_map *self)
{
	ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
}

static struct devx_eth *get_eth(const struct ct_fix_dma_map *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->port.port]);
}

static const struct moment {
	const char *name;
	bool configured, started, stopped; /* before the mapping */
} moments[] = {
	{ "after_probe", false, false, false },
	{ "after_configure", true, false, false },
	{ "after_start", true, true, false },
	{ "after_stop", true, true, true },
};

TEST_F_EACH(dma_map, memory_is_registered_before_the_call_returns, struct moment, moments)
{
	unsigned int n_mr;

	if (row->configured)
		ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ 0 }));
	if (row->started)
		ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	if (row->stopped)
		ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	n_mr = get_eth(self)->memory.n_mr;
	ASSERT_EQ(0, memory_rig_map(&self->rig, PART, PART));
	EXPECT_EQ(n_mr + 1, get_eth(self)->memory.n_mr);
	if (!row->configured)
		ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ 0 }));
	if (!row->started || row->stopped)
		ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	memory_rig_expect_sent(&self->rig, self->rig.memory + PART);
	memory_rig_expect_sent(&self->rig, self->rig.memory + 2 * PART - MEMORY_RIG_FRAME);
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, PART, PART));
	memory_rig_expect_dropped(&self->rig, self->rig.memory + PART);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + 2 * PART - MEMORY_RIG_FRAME);
}

TEST_F(dma_map, started_port_registers_and_releases)
{
	unsigned int n_mr;

	start_port(self);
	n_mr = get_eth(self)->memory.n_mr;
	for (int i = 0; i < 3; i++) {
		memory_rig_expect_dropped(&self->rig, self->rig.memory); /* EAL knows it only */
		ASSERT_EQ(0, memory_rig_map(&self->rig, 0, MEMORY_RIG_BYTES));
		EXPECT_EQ(n_mr + 1, get_eth(self)->memory.n_mr);
		memory_rig_expect_sent(&self->rig, self->rig.memory);
		ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES));
		EXPECT_EQ(n_mr, get_eth(self)->memory.n_mr);
	}
}

TEST_F(dma_map, mapping_outlives_stop_and_start)
{
	start_port(self);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, PART));
	for (int i = 0; i < 2; i++) {
		memory_rig_expect_sent(&self->rig, self->rig.memory);
		ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
		EXPECT_EQ(1, get_eth(self)->memory.n_mr);
		ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	}
}

/* The order of programs for GPUs: register, map, pool of pinned buffers, queues, start. */
TEST_F(dma_map, queues_of_a_pinned_pool_in_mapped_memory_work)
{
	struct rte_mempool *const ordinary = self->port.pool;
	struct rte_mempool *pinned;

	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, MEMORY_RIG_BYTES));
	pinned = memory_rig_make_pinned_pool(&self->rig, 100);
	ASSERT_NE(NULL, pinned);
	self->port.pool = pinned;
	ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ .n_rx_desc = 64 }));
	self->port.pool = ordinary;
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	for (uint32_t i = 0; i < 300; i++)
		port_rig_exchange_one(&self->port, i);
	EXPECT_EQ(0, port_rig_get_xstat(&self->port, "rx_recoveries"));

	EXPECT_EQ(-EBUSY, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES));
	memory_rig_expect_one_line("Rx queue 0 receives into it (pool pinned, 100 buffers)");
	port_rig_exchange_one(&self->port, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	EXPECT_EQ(0, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES));
	ASSERT_EQ(0, port_rig_configure(&self->port, &(struct port_rig_config){ 0 }));
	mbuf_pool_free(pinned);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, NULL, 0));
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

/* The engine stands still, so the packets are in the ring when their memory goes. */
TEST_F(dma_map, unmap_under_traffic_sends_nothing_from_the_memory)
{
	enum { N = 8 };
	struct rte_mbuf *m[N];

	NEEDS_EMU("to hold packets in the ring");
	start_port(self);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, PART));
	self->port.emu->pause();
	for (uint32_t i = 0; i < N; i++)
		m[i] = memory_rig_make_packet(&self->rig, self->rig.memory + i * MEMORY_RIG_FRAME,
					      i);
	ASSERT_EQ(N, rte_eth_tx_burst(self->port.port, 0, m, N));
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, PART));
	port_rig_read_log();
	self->port.emu->resume();
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->port, NULL));
	EXPECT_EQ(N, port_rig_get_xstat(&self->port, "tx_lost_packets"));
	EXPECT_SUBSTR("queue restarted, 8 packets lost", port_rig_read_log());
	self->port.emu->reset_mistakes();
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
	port_rig_exchange_one(&self->port, 1);
}

TEST_F(dma_map, mapping_outlives_the_loss_of_the_device)
{
	NEEDS_EMU("to let the device fail");
	start_port(self);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, PART));
	loss_rig_listen();
	loss_rig_inject(&self->port, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(&self->port, &loss_seen.n_success, 1));
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	EXPECT_EQ(0, memory_rig_unmap(&self->rig, 0, PART));
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
}

static unsigned int count_tables(const struct ct_fix_dma_map *self)
{
	unsigned int n = 0;

	for (const struct devx_eth_table *t = get_eth(self)->memory.table; t; t = t->older)
		n++;
	return n;
}

/* As if the time had passed in which a burst can use a table. */
static void age_tables(const struct ct_fix_dma_map *self)
{
	struct devx_eth *eth = get_eth(self);

	pthread_mutex_lock(&eth->lock);
	for (struct devx_eth_table *t = eth->memory.table; t; t = t->older)
		t->replaced_ms = 0;
	pthread_mutex_unlock(&eth->lock);
}

TEST_F(dma_map, changes_leave_no_tables_behind)
{
	enum { LAPS = 20, NEW = 2, NEXT = 1, OF_QUEUES = 2 };

	start_port(self);
	for (int i = 0; i < LAPS; i++) {
		SCOPED_TRACE("lap %d", i);
		ASSERT_EQ(0, memory_rig_map(&self->rig, 0, PART));
		memory_rig_expect_sent(&self->rig, self->rig.memory);
		ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, PART));
		EXPECT_LE(count_tables(self), NEW + NEXT + OF_QUEUES);
		age_tables(self);
	}
}
