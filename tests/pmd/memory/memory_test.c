/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>

#include "devx_rxq.h"
#include "port_rig.h"

/* Packets in registered and in unregistered memory. */

FIXTURE(memory)
{
	struct port_rig rig;
};
FIXTURE_SETUP(memory)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(memory)
{
	port_rig_down(&self->rig);
}

static void count_free(void *addr, void *arg)
{
	RTE_SET_USED(addr);
	++*(int *)arg;
}

/* The driver drops a packet in memory that EAL does not know: no error CQE, the queue works on. */
TEST_F(memory, a_packet_in_unregistered_memory_is_dropped_and_counted)
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

/* The port registers the memory of a pool outside the memory of EAL when it starts. */
TEST_F(memory, a_pool_in_foreign_memory_is_registered_at_start)
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
	mbuf_pool_free(pool);
	munmap(memory, bytes);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/* Receives a packet into several buffers and expects every byte. Return: false if none came */
static bool exchange_scattered(const struct port_rig *rig, uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *want = port_rig_make_packet(rig, bytes, seed), *m;
	uint8_t got[PORT_RIG_FRAME_MAX];

	m = port_rig_make_packet(rig, bytes, seed);
	if (!port_rig_send(rig, &m, 1) || !port_rig_receive(rig, &m, 1)) {
		rte_pktmbuf_free(want);
		return false;
	}
	EXPECT_EQ(bytes, m->pkt_len);
	EXPECT_EQ((const void *)got, rte_pktmbuf_read(m, 0, m->pkt_len, got));
	EXPECT_MEMEQ(rte_pktmbuf_mtod(want, void *), got, bytes);
	rte_pktmbuf_free(m);
	rte_pktmbuf_free(want);
	return true;
}

/* Makes a pool in the first and the last of three parts of @memory, of @part bytes each. */
static struct rte_mempool *make_split_pool(char *memory, size_t part, unsigned int n,
					   unsigned int data_room)
{
	struct rte_mempool *pool =
		rte_mempool_create_empty("two", n, data_room + sizeof(struct rte_mbuf), 0,
					 sizeof(struct rte_pktmbuf_pool_private), 0, 0);

	if (!pool)
		return NULL;
	rte_pktmbuf_pool_init(pool, NULL);
	for (int i = 0; i < 3; i += 2) /* with a gap between them */
		EXPECT_LT(0, rte_mempool_populate_iova(pool, memory + i * part, RTE_BAD_IOVA, part,
						       NULL, NULL));
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
}

/* Expects in each slot with a buffer the key of the memory of this buffer. */
static void expect_keys(const struct port_rig *rig, uint16_t queue, bool one_range)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[queue];

	SCOPED_TRACE("Rx queue %u", queue);
	EXPECT_EQ(one_range, rxq->one_range);
	EXPECT_EQ(one_range, rxq->buf_delta != 0); /* also of a queue that shares its pool */
	ASSERT_LT(0, rxq->rq.pi);
	for (uint32_t i = 0; i < rxq->rq.pi; i++) {
		const struct prm_data_seg *seg = &rxq->rq.wqes[i];
		const struct devx_eth_range *range =
			devx_eth_range_find(rxq->table, prm_be64_get(seg->addr), rxq->buf_bytes);

		ASSERT_NE(NULL, range);
		EXPECT_EQ(rxq->buf_bytes, prm_be32_get(seg->byte_count));
		EXPECT_EQ(prm_be32_get(range->lkey), prm_be32_get(seg->lkey));
	}
}

/* Makes a pool of @n mbufs, with a chunk for each page of @memory. */
static struct rte_mempool *make_paged_pool(char *memory, unsigned int n)
{
	enum { PAGE = 4096 };
	struct rte_mempool *pool =
		rte_mempool_create_empty("paged", n, 2048 + sizeof(struct rte_mbuf), 0,
					 sizeof(struct rte_pktmbuf_pool_private), 0, 0);

	if (!pool)
		return NULL;
	rte_pktmbuf_pool_init(pool, NULL);
	for (unsigned int i = 0; i < n; i++)
		EXPECT_EQ(1, rte_mempool_populate_iova(pool, memory + i * PAGE, RTE_BAD_IOVA, PAGE,
						       NULL, NULL));
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
}

/* Without contiguous addresses on the bus, EAL gives a pool one chunk for each page. */
TEST_F(memory, pool_with_a_chunk_for_each_page_has_one_memory_key)
{
	enum { N = 256, BYTES = N * 4096 };
	struct port_rig paged = self->rig;
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	const unsigned int n_mr = eth->memory.n_mr;
	char *memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, (void *)memory);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	paged.pool = make_paged_pool(memory, N);
	ASSERT_NE(NULL, paged.pool);
	EXPECT_EQ(N, paged.pool->nb_mem_chunks);
	ASSERT_EQ(0, port_rig_configure(&paged, &(struct port_rig_config){ .n_rx_desc = 128 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(n_mr + 1, eth->memory.n_mr);
	expect_keys(&self->rig, 0, true);
	for (uint32_t i = 0; i < 2 * N; i++) /* each mbuf sends and receives */
		port_rig_exchange_one(&paged, i);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	mbuf_pool_free(paged.pool);
	munmap(memory, BYTES);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F(memory, queues_of_one_pool_write_the_keys_of_its_memories)
{
	enum { PART = 1 << 18, N_QUEUES = 2, N_MBUFS = 400, DATA_ROOM = 2048 };
	const struct port_rig_config config = { .n_rxq = N_QUEUES, .n_rx_desc = 64 };
	char *memory =
		mmap(NULL, 3 * PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct port_rig split = self->rig;

	ASSERT_NE(MAP_FAILED, (void *)memory);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	split.pool = make_split_pool(memory, PART, N_MBUFS, DATA_ROOM);
	ASSERT_NE(NULL, split.pool);
	for (int pass = 0; pass < 2; pass++) {
		SCOPED_TRACE("pass %d", pass);
		ASSERT_EQ(0, port_rig_configure(pass ? &split : &self->rig, &config));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		for (uint16_t i = 0; i < N_QUEUES; i++)
			expect_keys(&self->rig, i, !pass);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	mbuf_pool_free(split.pool);
	munmap(memory, 3 * PART);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/* The buffers of a WQE are in two memories with a key each; every mbuf takes each slot in turn. */
TEST_F(memory, scattered_packets_use_the_keys_of_two_memories)
{
	enum { PART = 1 << 17, N_MBUFS = 300, DATA_ROOM = 512 };
	const struct port_rig_config config = { .n_rx_desc = 64,
						.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER };
	char *memory =
		mmap(NULL, 3 * PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct port_rig small = self->rig;
	struct rte_eth_burst_mode mode;

	ASSERT_NE(MAP_FAILED, (void *)memory);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	small.pool = make_split_pool(memory, PART, N_MBUFS, DATA_ROOM);
	ASSERT_NE(NULL, small.pool);
	ASSERT_EQ(0, port_rig_configure(&small, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_SUBSTR("scattered, several memory keys", mode.info);
	for (uint32_t i = 0; i < N_MBUFS; i++)
		ASSERT_TRUE(exchange_scattered(&self->rig, 500 + i * 97 % 1000, i));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_recoveries"));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	mbuf_pool_free(small.pool);
	munmap(memory, 3 * PART);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
