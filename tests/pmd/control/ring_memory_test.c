/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_malloc.h>
#include <rte_memory.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Rings of queues are in memory of EAL, on the socket of the queue (devx_ring_memory.h). */

enum { SOCKET = 0, N_REPAIRS = 4 };

FIXTURE(ring_memory)
{
	struct port_rig rig;
	size_t before; /* bytes of EAL's heap in use without the port */
};

static size_t count_heap_bytes(void)
{
	struct rte_malloc_socket_stats stats = { 0 };

	EXPECT_EQ(0, rte_malloc_get_socket_stats(SOCKET, &stats));
	return stats.heap_allocsz_bytes;
}

FIXTURE_SETUP(ring_memory)
{
	port_rig_probe(&self->rig);
	port_rig_remove_port(&self->rig);
	self->before = count_heap_bytes();
	port_rig_add_port(&self->rig);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

FIXTURE_TEARDOWN(ring_memory)
{
	port_rig_down(&self->rig);
}

static struct devx_eth_rxq *get_rxq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->rx_queues[0];
}

static struct devx_eth_txq *get_txq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->tx_queues[0];
}

/* Expects memory of EAL on SOCKET from first to last byte, in huge pages if EAL has them. */
static void expect_eal_memory(const void *first, size_t bytes)
{
	const char *ends[] = { first, (const char *)first + bytes - 1 };
	const size_t page = rte_eal_has_hugepages() ? 2 << 20 : 4096;

	for (unsigned int i = 0; i < RTE_DIM(ends); i++) {
		const struct rte_memseg *ms = rte_mem_virt2memseg(ends[i], NULL);

		ASSERT_NE(NULL, ms);
		EXPECT_EQ(SOCKET, ms->socket_id);
		EXPECT_LE(page, ms->hugepage_sz);
	}
}

static void expect_rings_in_eal_memory(const struct port_rig *rig)
{
	const struct devx_eth_rxq *rxq = get_rxq(rig);
	const struct devx_eth_txq *txq = get_txq(rig);
	const struct devx_buf *bufs[] = { &rxq->cq.buf, &rxq->rq.buf, &txq->cq.buf, &txq->sq.buf };

	for (unsigned int i = 0; i < RTE_DIM(bufs); i++) {
		SCOPED_TRACE("ring %u of receive CQ, RQ, send CQ, SQ", i);
		EXPECT_EQ(NULL, bufs[i]->own);
		expect_eal_memory(bufs[i]->addr, devx_buf_bytes(bufs[i]->bytes));
	}
}

TEST_F(ring_memory, rings_are_eal_memory_of_the_socket)
{
	struct port_rig *rig = &self->rig;

	expect_rings_in_eal_memory(rig);
	port_rig_exchange_one(rig, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_rings_in_eal_memory(rig);
	port_rig_exchange_one(rig, 2);
}

TEST_F(ring_memory, closed_port_leaves_no_memory_of_the_heap_in_use)
{
	struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	EXPECT_LT(self->before, count_heap_bytes());
	port_rig_remove_port(rig);
	EXPECT_EQ(self->before, count_heap_bytes());
	port_rig_add_port(rig);
}

static bool is_repaired(const struct port_rig *rig, void *n)
{
	struct rte_mbuf *m;

	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return get_rxq(rig)->n.cq_errors == *(uint64_t *)n &&
	       get_txq(rig)->n.cq_errors == *(uint64_t *)n;
}

TEST_F(ring_memory, replaced_queues_use_memory_of_the_socket_again)
{
	struct port_rig *rig = &self->rig;
	size_t used = 0;

	NEEDS_EMU("to let a CQ fail");
	for (uint64_t n = 1; n <= N_REPAIRS; n++) {
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_rxq(rig)->cq.cqn));
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_txq(rig)->cq.cqn));
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &n));
		expect_rings_in_eal_memory(rig);
		port_rig_exchange_one(rig, (uint32_t)n);
		if (n == 1)
			used = count_heap_bytes();
	}
	EXPECT_EQ(used, count_heap_bytes());
	port_rig_read_log();
}

/* The number of buffers per frame, which follows the MTU, determines the sizes of CQ and RQ. */
TEST_F(ring_memory, replaced_queues_start_again_with_other_buffers_per_frame)
{
	enum { DATA_ROOM = 512 };
	const struct port_rig_config config = { .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER };
	static const uint16_t mtus[] = { 1500, 300, 1500, 700 };
	struct port_rig *rig = &self->rig;
	struct port_rig small = *rig;
	uint64_t n = 0;

	NEEDS_EMU("to let a CQ fail");
	small.pool = rte_pktmbuf_pool_create("small", 1023, 0, 0, DATA_ROOM, 0);
	ASSERT_NE(NULL, small.pool);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(&small, &config));
	for (unsigned int i = 0; i < RTE_DIM(mtus); i++) {
		SCOPED_TRACE("MTU %u", mtus[i]);
		ASSERT_EQ(0, rte_eth_dev_set_mtu(rig->port, mtus[i]));
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_rxq(rig)->cq.cqn));
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_txq(rig)->cq.cqn));
		n++;
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &n));
		expect_rings_in_eal_memory(rig);
		port_rig_exchange_one(rig, i);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	}
	EXPECT_EQ(1023, rte_mempool_avail_count(small.pool));
	rte_mempool_free(small.pool);
	port_rig_read_log();
}

static bool is_removed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return rte_eth_dev_is_removed(rig->port);
}

TEST_F(ring_memory, rings_of_a_lost_device_are_never_used_again)
{
	struct port_rig *rig = &self->rig;
	const struct devx_ring_mem cq = get_rxq(rig)->rings.cq;
	const size_t rings = get_rxq(rig)->rings.cq.bytes + get_rxq(rig)->rings.wq.bytes +
			     get_txq(rig)->rings.cq.bytes + get_txq(rig)->rings.wq.bytes;

	NEEDS_EMU("to let the device fail");
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_DEVICE_FATAL, 0));
	ASSERT_TRUE(port_rig_wait_until(is_removed, rig, NULL));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_remove_port(rig);
	EXPECT_LE(self->before + rings, count_heap_bytes());
	port_rig_add_port(rig);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_rings_in_eal_memory(rig);
	EXPECT_NE(cq.addr, get_rxq(rig)->rings.cq.addr);
	port_rig_exchange_one(rig, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_read_log();
}
