/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <rte_errno.h>

#include "devx_port.h"
#include "devx_txq.h"
#include "memory_rig.h"

/* Packets in memory that is neither mapped nor in a pool. */

FIXTURE(unknown)
{
	struct port_rig port;
	struct memory_rig rig;
};
FIXTURE_SETUP(unknown)
{
	port_rig_up(&self->port, &(struct port_rig_config){
					 .eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS });
	memory_rig_up(&self->rig, &self->port);
}
FIXTURE_TEARDOWN(unknown)
{
	port_rig_down(&self->port);
	memory_rig_down(&self->rig);
}

static bool has_looked(const struct port_rig *port, void *arg)
{
	const struct devx_eth_txq *txq = rte_eth_devices[port->port].data->tx_queues[0];

	RTE_SET_USED(arg);
	return !__atomic_load_n(&txq->unknown.pool, __ATOMIC_ACQUIRE);
}

static void expect_line(const struct ct_fix_unknown *self, const char *at, const char *pool)
{
	char says[128];

	ASSERT_TRUE(port_rig_wait_until(has_looked, &self->port, NULL));
	snprintf(says, sizeof(says), "Tx queue 0: dropped a packet at %#" PRIxPTR " (pool %s)",
		 (uintptr_t)at, pool);
	memory_rig_expect_one_line(says);
}

TEST_F(unknown, first_packet_is_named_and_all_are_counted)
{
	for (int i = 0; i < 10; i++) {
		memory_rig_expect_dropped(&self->rig, self->rig.memory + i);
		ASSERT_TRUE(port_rig_wait_until(has_looked, &self->port, NULL));
	}
	expect_line(self, self->rig.memory, "rig");
	port_rig_exchange_one(&self->port, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	memory_rig_expect_dropped(&self->rig, self->rig.memory + 9);
	expect_line(self, self->rig.memory + 9, "rig");
}

TEST_F(unknown, first_packet_after_an_unmap_is_named)
{
	memory_rig_expect_dropped(&self->rig, self->rig.memory);
	expect_line(self, self->rig.memory, "rig");
	memory_rig_extmem_register(&self->rig);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, MEMORY_RIG_BYTES));
	memory_rig_expect_sent(&self->rig, self->rig.memory);
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES));
	memory_rig_expect_dropped(&self->rig, self->rig.memory + 1);
	expect_line(self, self->rig.memory + 1, "rig");
	memory_rig_extmem_unregister(&self->rig);
}

/* The data of the second segment is unknown. */
static struct rte_mbuf *make_chain(struct ct_fix_unknown *self)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->port, 100, 1);

	rte_pktmbuf_chain(m, memory_rig_make_packet(&self->rig, self->rig.memory, 1));
	return m;
}

TEST_F(unknown, prepare_refuses_what_a_burst_drops)
{
	struct rte_mbuf *m[3] = { port_rig_make_packet(&self->port, 200, 0),
				  memory_rig_make_packet(&self->rig, self->rig.memory, 1),
				  make_chain(self) };

	rte_errno = 0;
	EXPECT_EQ(1, rte_eth_tx_prepare(self->port.port, 0, m, 3));
	EXPECT_EQ(EFAULT, rte_errno);
	EXPECT_EQ(0, rte_eth_tx_prepare(self->port.port, 0, m + 2, 1));
	memory_rig_extmem_register(&self->rig);
	ASSERT_EQ(0, memory_rig_map(&self->rig, 0, MEMORY_RIG_BYTES));
	EXPECT_EQ(3, rte_eth_tx_prepare(self->port.port, 0, m, 3));
	ASSERT_EQ(0, memory_rig_unmap(&self->rig, 0, MEMORY_RIG_BYTES));
	memory_rig_extmem_unregister(&self->rig);
	ASSERT_TRUE(port_rig_send(&self->port, m + 2, 1));
	expect_line(self, self->rig.memory, "rig");
	EXPECT_EQ(1, port_rig_get_xstat(&self->port, "tx_unregistered_packets"));
	ASSERT_EQ(0, rte_eth_dev_stop(self->port.port));
	EXPECT_EQ(2, rte_eth_tx_prepare(self->port.port, 0, m, 2)); /* nothing is registered now */
	ASSERT_EQ(0, rte_eth_dev_start(self->port.port));
	rte_pktmbuf_free_bulk(m, 2);
}

/* The kernel cannot register the buffers, so their packets wait once and are dropped then. */
TEST_F(unknown, pinned_buffers_that_the_kernel_refuses_are_dropped)
{
	struct rte_mempool *pool = memory_rig_make_pinned_pool(&self->rig, 100);
	struct rte_mbuf *m;

	ASSERT_NE(NULL, pool);
	ASSERT_EQ(0, mprotect(self->rig.memory, MEMORY_RIG_BYTES, PROT_NONE));
	for (unsigned int i = 1; i <= 3; i++) {
		m = rte_pktmbuf_alloc(pool);
		rte_pktmbuf_append(m, 100);
		if (i == 1)
			EXPECT_EQ(1, rte_eth_tx_prepare(self->port.port, 0, &m, 1));
		ASSERT_TRUE(port_rig_send(&self->port, &m, 1));
		EXPECT_EQ(i, port_rig_get_xstat(&self->port, "tx_unregistered_packets"));
	}
	m = rte_pktmbuf_alloc(pool);
	rte_pktmbuf_append(m, 100);
	EXPECT_EQ(0, rte_eth_tx_prepare(self->port.port, 0, &m, 1));
	expect_line(self, self->rig.memory + RTE_PKTMBUF_HEADROOM, "pinned");
	rte_pktmbuf_free(m);
	mbuf_pool_free(pool);
	ASSERT_EQ(0, mprotect(self->rig.memory, MEMORY_RIG_BYTES, PROT_READ | PROT_WRITE));
}
