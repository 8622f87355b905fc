/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_errno.h>

#include "devx_port.h"
#include "memory_rig.h"

/* Mempools that become ready, or that the application frees, while the port runs. */

enum { N_CHUNKS = 16, CHUNK = MEMORY_RIG_BYTES / N_CHUNKS, GAP = 4096 };

FIXTURE(pool_event)
{
	struct port_rig port;
	struct memory_rig rig;
};
FIXTURE_SETUP(pool_event)
{
	port_rig_up(&self->port, &(struct port_rig_config){ 0 });
	memory_rig_up(&self->rig, &self->port);
}
FIXTURE_TEARDOWN(pool_event)
{
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

/* Makes a pool of chunks with gaps between them. It becomes ready with the last chunk. */
static struct rte_mempool *make_pool(const struct ct_fix_pool_event *self)
{
	enum { ELEMENT = sizeof(struct rte_mbuf) + 1024, N = 100 };
	struct rte_mempool *pool = rte_mempool_create_empty(
		"chunks", N, ELEMENT, 0, sizeof(struct rte_pktmbuf_pool_private), 0, 0);

	if (!pool)
		return NULL;
	rte_pktmbuf_pool_init(pool, NULL);
	for (int i = 0; i < N_CHUNKS && pool->populated_size < N; i++)
		EXPECT_LT(0, rte_mempool_populate_iova(pool, self->rig.memory + i * CHUNK,
						       RTE_BAD_IOVA, CHUNK - GAP, NULL, NULL));
	EXPECT_EQ(N, pool->populated_size);
	EXPECT_LT(4, pool->nb_mem_chunks);
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
}

/* Gives the mbufs of the ring back to their pools. */
static void restart_port(const struct ct_fix_pool_event *self)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
}

TEST_F(pool_event, started_port_sends_from_a_new_pool)
{
	for (int i = 0; i < 2; i++) {
		struct rte_mempool *pool = make_pool(self);

		ASSERT_NE(NULL, pool);
		memory_rig_expect_registrations(&self->rig, pool->nb_mem_chunks);
		memory_rig_expect_pool_moves(&self->rig, pool, 2);
		restart_port(self);
		memory_rig_expect_registrations(&self->rig, pool->nb_mem_chunks);
		mbuf_pool_free(pool);
		memory_rig_expect_registrations(&self->rig, 0);
		memory_rig_expect_dropped(&self->rig, self->rig.memory);
	}
}

TEST_F(pool_event, stopped_port_ignores_pools)
{
	struct rte_mempool *pool;

	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	pool = make_pool(self);
	ASSERT_NE(NULL, pool);
	EXPECT_EQ(0, devx_eth_port_get(&rte_eth_devices[self->port.port])->memory.n_mr);
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	memory_rig_expect_registrations(&self->rig, pool->nb_mem_chunks);
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	mbuf_pool_free(pool);
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	memory_rig_expect_registrations(&self->rig, 0);
}

TEST_F(pool_event, a_pool_and_a_mapping_share_registrations)
{
	struct rte_mempool *pool;

	memory_rig_extmem_register(&self->rig);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, MEMORY_RIG_BYTES));
	pool = make_pool(self);
	ASSERT_NE(NULL, pool);
	memory_rig_expect_registrations(&self->rig, 1);
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES)); /* the pool needs it */
	memory_rig_expect_registrations(&self->rig, 1);
	memory_rig_expect_pool_moves(&self->rig, pool, 1);
	memory_rig_expect_dropped(&self->rig, self->rig.memory + CHUNK - MEMORY_RIG_FRAME);
	restart_port(self);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, CHUNK));
	mbuf_pool_free(pool);
	memory_rig_expect_sent(&self->rig, self->rig.memory); /* the mapping needs it */
	memory_rig_expect_dropped(&self->rig, self->rig.memory + CHUNK);
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, CHUNK));
	memory_rig_expect_registrations(&self->rig, 0);
	memory_rig_extmem_unregister(&self->rig);
}

TEST_F(pool_event, a_refused_chunk_leaves_nothing_behind)
{
	struct rte_mempool *pool;

	NEEDS_EMU("to make a command fail");
	self->port.emu->fail(DEVX_EMU_FAIL_COMMAND, 3, 0);
	pool = make_pool(self);
	self->port.emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	ASSERT_NE(NULL, pool);
	memory_rig_expect_one_line("cannot use memory at ");
	memory_rig_expect_registrations(&self->rig, 0);
	port_rig_exchange_one(&self->port, 1);
	mbuf_pool_free(pool);
}

/* Nobody told EAL or the driver about the memory of the buffers. */
TEST_F(pool_event, pinned_buffers_are_registered_for_their_first_packet)
{
	for (int i = 0; i < 2; i++) {
		struct rte_mempool *pool = memory_rig_make_pinned_pool(&self->rig, 100);

		ASSERT_NE(NULL, pool);
		memory_rig_expect_pool_moves(&self->rig, pool, 3);
		memory_rig_expect_registrations(&self->rig, 1);
		restart_port(self);
		memory_rig_expect_registrations(&self->rig, 1);
		mbuf_pool_free(pool);
		memory_rig_expect_registrations(&self->rig, 0);
	}
}

TEST_F(pool_event, two_pools_share_pinned_memory)
{
	struct rte_mempool *pool = memory_rig_make_pinned_pool(&self->rig, 100), *second;
	const struct rte_pktmbuf_extmem memory = { self->rig.memory, RTE_BAD_IOVA, MEMORY_RIG_BYTES,
						   MEMORY_RIG_ELEMENT };

	ASSERT_NE(NULL, pool);
	second = rte_pktmbuf_pool_create_extbuf("second", 100, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0,
						&memory, 1);
	ASSERT_NE(NULL, second);
	restart_port(self);
	memory_rig_expect_registrations(&self->rig, 1);
	mbuf_pool_free(pool);
	memory_rig_expect_pool_moves(&self->rig, second, 1);
	restart_port(self);
	mbuf_pool_free(second);
	memory_rig_expect_registrations(&self->rig, 0);
}
