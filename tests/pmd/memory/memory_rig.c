/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "devx_port.h"
#include "memory_rig.h"

enum { PAGE = 4096 };

static const struct devx_eth *get_eth(const struct memory_rig *rig)
{
	return devx_eth_port_get(&rte_eth_devices[rig->port->port]);
}

void memory_rig_up(struct memory_rig *rig, struct port_rig *port)
{
	char *at = mmap(NULL, MEMORY_RIG_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	ASSERT_NE(MAP_FAILED, (void *)at);
	rig->port = port;
	rig->memory = at + PAGE;
	ASSERT_EQ(0, mprotect(rig->memory, MEMORY_RIG_BYTES, PROT_READ | PROT_WRITE));
	rte_mbuf_ext_refcnt_set(&rig->shared, 1);
	rig->n_mr = get_eth(rig)->memory.n_mr;
	rig->handles = port_rig_get_counters(port).handles;
	port_rig_read_log();
}

void memory_rig_down(struct memory_rig *rig)
{
	EXPECT_EQ(1, rte_mbuf_ext_refcnt_read(&rig->shared));
	munmap(rig->memory - PAGE, MEMORY_RIG_BYTES + 2 * PAGE);
}

struct rte_mbuf *memory_rig_make_packet(struct memory_rig *rig, char *at, uint32_t seed)
{
	struct rte_mbuf *from = port_rig_make_packet(rig->port, MEMORY_RIG_FRAME, seed);
	struct rte_mbuf *m = rte_pktmbuf_alloc(rig->port->pool);

	memcpy(at, rte_pktmbuf_mtod(from, void *), MEMORY_RIG_FRAME);
	rte_pktmbuf_free(from);
	rte_mbuf_ext_refcnt_update(&rig->shared, 1);
	rte_pktmbuf_attach_extbuf(m, at, 0, MEMORY_RIG_FRAME, &rig->shared);
	rte_pktmbuf_append(m, MEMORY_RIG_FRAME);
	return m;
}

void memory_rig_expect_sent(struct memory_rig *rig, char *at)
{
	struct rte_mbuf *m = memory_rig_make_packet(rig, at, 7);

	SCOPED_TRACE("byte %td of the memory", at - rig->memory);
	ASSERT_TRUE(port_rig_send(rig->port, &m, 1));
	EXPECT_EQ(rig->n_dropped, port_rig_get_xstat(rig->port, "tx_unregistered_packets"));
	ASSERT_EQ(1, port_rig_receive(rig->port, &m, 1));
	port_rig_expect_packet(rig->port, m, MEMORY_RIG_FRAME, 7);
	rte_pktmbuf_free(m);
}

void memory_rig_expect_dropped(struct memory_rig *rig, char *at)
{
	struct rte_mbuf *m = memory_rig_make_packet(rig, at, 7);

	SCOPED_TRACE("byte %td of the memory", at - rig->memory);
	ASSERT_TRUE(port_rig_send(rig->port, &m, 1));
	EXPECT_EQ(++rig->n_dropped, port_rig_get_xstat(rig->port, "tx_unregistered_packets"));
}

void memory_rig_expect_registrations(const struct memory_rig *rig, unsigned int more)
{
	EXPECT_EQ(rig->n_mr + more, get_eth(rig)->memory.n_mr);
	if (rig->port->emu)
		EXPECT_EQ(rig->handles + more, port_rig_get_counters(rig->port).handles);
}

void memory_rig_extmem_register(const struct memory_rig *rig)
{
	ASSERT_EQ(0, rte_extmem_register(rig->memory, MEMORY_RIG_BYTES, NULL, 0, PAGE));
}

void memory_rig_extmem_unregister(const struct memory_rig *rig)
{
	EXPECT_EQ(0, rte_extmem_unregister(rig->memory, MEMORY_RIG_BYTES));
}

int memory_rig_map(const struct memory_rig *rig, size_t offset, size_t bytes)
{
	return rte_dev_dma_map(rte_eth_devices[rig->port->port].device, rig->memory + offset, 0,
			       bytes)
		       ? -rte_errno
		       : 0;
}

int memory_rig_unmap(const struct memory_rig *rig, size_t offset, size_t bytes)
{
	return rte_dev_dma_unmap(rte_eth_devices[rig->port->port].device, rig->memory + offset, 0,
				 bytes)
		       ? -rte_errno
		       : 0;
}

struct rte_mempool *memory_rig_make_pinned_pool(const struct memory_rig *rig, unsigned int n)
{
	const struct rte_pktmbuf_extmem memory = {
		.buf_ptr = rig->memory,
		.buf_iova = RTE_BAD_IOVA,
		.buf_len = MEMORY_RIG_BYTES,
		.elt_size = MEMORY_RIG_ELEMENT,
	};

	return rte_pktmbuf_pool_create_extbuf("pinned", n, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0,
					      &memory, 1);
}

void memory_rig_expect_pool_moves(const struct memory_rig *rig, struct rte_mempool *pool,
				  unsigned int laps)
{
	struct port_rig port = *rig->port;

	port.pool = pool;
	for (uint32_t i = 0; i < laps * pool->size; i++) {
		port_rig_exchange_one(&port, i);
		ASSERT_EQ(rig->n_dropped, port_rig_get_xstat(rig->port, "tx_unregistered_packets"));
	}
}

void memory_rig_expect_one_line(const char *says)
{
	const char *log = port_rig_read_log();

	EXPECT_SUBSTR(says, log);
	EXPECT_SUBSTR("net_devx0 (mlx5_0): ", log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n'));
}
