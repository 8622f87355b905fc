/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_memory.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "driver_calls.h"
#include "port_rig.h"

/* Rings of queues are in memory of EAL, on the socket of the queue (devx_ring_memory.h). */

enum { SOCKET = 0, N_REPAIRS = 4 };

FIXTURE(ring_memory)
{
	struct port_rig rig;
	uint64_t before; /* bytes of EAL's heap in use without the port */
};

FIXTURE_SETUP(ring_memory)
{
	port_rig_probe(&self->rig);
	port_rig_remove_port(&self->rig);
	self->before = driver_objects_count_heap_bytes();
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
	EXPECT_LT(self->before, driver_objects_count_heap_bytes());
	port_rig_remove_port(rig);
	EXPECT_EQ(self->before, driver_objects_count_heap_bytes());
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
	uint64_t used = 0;

	NEEDS_EMU("to let a CQ fail");
	for (uint64_t n = 1; n <= N_REPAIRS; n++) {
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_rxq(rig)->cq.cqn));
		EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_txq(rig)->cq.cqn));
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &n));
		expect_rings_in_eal_memory(rig);
		port_rig_exchange_one(rig, (uint32_t)n);
		if (n == 1)
			used = driver_objects_count_heap_bytes();
	}
	EXPECT_EQ(used, driver_objects_count_heap_bytes());
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
	mbuf_pool_free(small.pool);
	port_rig_read_log();
}

/* The kernel destroys all objects of a lost device, so nothing uses its rings. */
TEST_F(ring_memory, rings_of_a_lost_device_go_back_to_the_heap)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	port_rig_unplug(rig);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_remove_port(rig);
	EXPECT_EQ(self->before, driver_objects_count_heap_bytes());
	port_rig_add_port(rig);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	expect_rings_in_eal_memory(rig);
	port_rig_exchange_one(rig, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_read_log();
}

/* ---- chunks ------------------------------------------------------------------------------- */

/* A range of memory that belongs to one queue: a ring, or a doorbell record. */
struct part {
	const char *addr;
	size_t bytes;
};

static unsigned int add_parts(struct part *part, const struct devx_buf *buf)
{
	part[0] = (struct part){ buf->addr, buf->bytes };
	part[1] = (struct part){ buf->dbrec, DEVX_DBREC_BYTES };
	return 2;
}

/* Lists rings and records of all queues. Return: number of parts */
static unsigned int list_parts(const struct port_rig *rig, struct part *part)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[rig->port].data;
	unsigned int n = 0;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		n += add_parts(&part[n], &rxq->cq.buf);
		n += add_parts(&part[n], &rxq->rq.buf);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		n += add_parts(&part[n], &txq->cq.buf);
		n += add_parts(&part[n], &txq->sq.buf);
	}
	return n;
}

static bool is_in_chunk(const struct port_rig *rig, const struct part *p)
{
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);

	for (const struct devx_eth_chunk *c = eth->rings.chunks; c; c = c->next)
		if (c->addr <= p->addr && p->addr + p->bytes <= c->addr + c->bytes)
			return true;
	return false;
}

static void expect_disjoint_parts(const struct port_rig *rig)
{
	enum { MAX_PARTS = 128 };
	struct part part[MAX_PARTS];
	const unsigned int n = list_parts(rig, part);

	for (unsigned int i = 0; i < n; i++) {
		SCOPED_TRACE("part %u of %u", i, n);
		EXPECT_TRUE(is_in_chunk(rig, &part[i]));
		for (unsigned int k = 0; k < i; k++)
			EXPECT_TRUE(part[i].addr + part[i].bytes <= part[k].addr ||
				    part[k].addr + part[k].bytes <= part[i].addr);
	}
}

static const struct chunks {
	const char *name;
	uint16_t n_rxq, n_txq, n_tx_desc;
	unsigned int n; /* chunks */
} chunks[] = {
	{ "small_queues", 4, 6, 64, 1 },
	{ "three_send_queues_in_a_chunk", 1, 7, 8192, 3 },
	{ "a_send_queue_larger_than_a_chunk", 1, 2, 32768, 3 },
};

TEST_F_EACH(ring_memory, start_registers_chunks_of_rings, struct chunks, chunks)
{
	struct port_rig *rig = &self->rig;
	struct devx_emu_counters then, now;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(rig,
					&(struct port_rig_config){ .n_rxq = row->n_rxq,
								   .n_txq = row->n_txq,
								   .n_tx_desc = row->n_tx_desc }));
	for (int pass = 0; pass < 2; pass++) {
		then = port_rig_get_counters(rig);
		ASSERT_EQ(0, rte_eth_dev_start(rig->port));
		now = port_rig_get_counters(rig);
		if (rig->emu)
			EXPECT_EQ(row->n, now.objects[DEVX_EMU_UMEM] - then.objects[DEVX_EMU_UMEM]);
		expect_disjoint_parts(rig);
		port_rig_exchange_on_all(rig);
		ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	}
}

TEST_F(ring_memory, queues_of_different_sockets_are_in_different_chunks)
{
	struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	get_txq(rig)->socket = SOCKET_ID_ANY;
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	EXPECT_EQ(SOCKET, get_rxq(rig)->rings.chunk->socket);
	EXPECT_EQ(SOCKET_ID_ANY, get_txq(rig)->rings.chunk->socket);
	expect_disjoint_parts(rig);
	port_rig_exchange_one(rig, 1);
}

TEST_F(ring_memory, start_without_memory_fails_in_one_line_and_leaves_nothing)
{
	struct port_rig *rig = &self->rig;
	uint64_t used;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_malloc_heap_create("empty"));
	used = driver_objects_count_heap_bytes();
	get_txq(rig)->socket = rte_malloc_heap_get_socket("empty");
	port_rig_read_log();
	EXPECT_EQ(-ENOMEM, rte_eth_dev_start(rig->port));
	EXPECT_SUBSTR(" for rings of queues; give EAL more memory (-m)", port_rig_read_log());
	EXPECT_GE(used, driver_objects_count_heap_bytes());
	get_txq(rig)->socket = SOCKET;
	EXPECT_EQ(0, rte_malloc_heap_destroy("empty"));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, 1);
}

TEST_F(ring_memory, rings_without_memory_leave_nothing)
{
	const struct driver_objects before = driver_objects_count();

	for (int k = 0; k < 2; k++) { /* the chunk, its memory */
		struct devx_eth_ring_memory memory = { 0 };
		struct devx_eth_rings rings = { 0 };

		SCOPED_TRACE("allocation %d fails", k);
		driver_calls_fail_alloc(k);
		EXPECT_EQ(-ENOMEM, devx_eth_rings_reserve(&memory, &rings, 4096, 4096, SOCKET));
		EXPECT_GT(0, driver_calls_get_pending_fault());
		EXPECT_EQ(NULL, rings.chunk);
		EXPECT_EQ(NULL, memory.chunks);
		driver_objects_expect_all(&before);
	}
}

/* ---- refused destroys --------------------------------------------------------------------- */

static unsigned int count_rx_queues_left(const char *log)
{
	unsigned int n = 0;

	for (; (log = strstr(log, "Rx queue 0: the kernel refused to destroy it")); log++)
		n++;
	return n;
}

/*
 * Starts the port, and stops it while the k-th command fails. Adds the bytes of rings that the
 * process keeps to @kept. Return: whether a command failed
 */
static bool stop_with_failure(struct ct_fix_ring_memory *self, int k, size_t *kept)
{
	struct port_rig *rig = &self->rig;
	const struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	unsigned int n_stuck;
	size_t bytes;
	bool fired;

	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, (uint32_t)k);
	bytes = get_rxq(rig)->rings.chunk->bytes;
	n_stuck = eth->dev.n_stuck;
	port_rig_read_log();
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	rig->n_kept += count_rx_queues_left(port_rig_read_log()) * (PORT_RIG_RING - 1);
	EXPECT_EQ(NULL, eth->rings.chunks);
	EXPECT_EQ(eth->dev.n_stuck == n_stuck, eth->rings.idle != NULL);
	*kept += eth->rings.idle ? 0 : bytes;
	return fired;
}

TEST_F(ring_memory, stop_keeps_rings_of_objects_that_firmware_does_not_destroy)
{
	enum { MANY = 100 };
	uint64_t used;
	size_t kept = 0;
	int k = 0;

	NEEDS_EMU("to make commands fail");
	self->rig.stuck = true; /* a rule that stays keeps TIR, RQ and CQ */
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	used = driver_objects_count_heap_bytes();
	for (bool fired = true; fired && k < MANY; k++) {
		SCOPED_TRACE("command %d of the stop fails", k);
		fired = stop_with_failure(self, k, &kept);
	}
	/* each kept chunk, and the idle one of the last stop */
	EXPECT_LT(0, kept);
	EXPECT_LE(used + kept, driver_objects_count_heap_bytes());
	EXPECT_LT(10, k);
	EXPECT_LT(k, MANY);
	EXPECT_LT(0, self->rig.n_kept);
}
