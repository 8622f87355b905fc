/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_kernel.h"
#include "memory_rig.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/*
 * Memory that a GPU and the adapter share. Kernels on the GPU write and check packets in memory of
 * the host that CUDA has registered. The CPU moves them, and reads none of the bytes that it counts
 * as right. Packets do not move in memory of the GPU itself: emu cannot reach it.
 */

enum {
	BATCH = 32,
	ROUNDS = 40,
	RING = 64,
	FRAME = 200,
	HEADERS = 42, /* bytes of Ethernet, IPv4 and UDP, which the CPU writes */
	N_PINNED = MEMORY_RIG_BYTES / MEMORY_RIG_ELEMENT,
	GPU_BYTES = 2 << 20,
	PATCH = 14, /* bytes */
};

static const struct rte_pmd_devx_ring_patch patch = { .offset = 46, .bytes = PATCH };

/* Memory for messages between CPU and GPU. */
struct shared {
	uint64_t at[BATCH];
	uint32_t n_right;
	uint8_t patches[BATCH * PATCH];
};

FIXTURE(gpu_memory)
{
	struct port_rig rig;
	struct memory_rig memory;
	struct cuda cuda;
	struct gpu_kernel kernel;
	struct rte_mempool *pinned; /* in the memory of memory_rig, or NULL */
	struct shared *shared;
	uint64_t gpu_shared;  /* its address on the GPU */
	ptrdiff_t gpu_offset; /* address of packet memory on the GPU - that on the CPU */
};
FIXTURE_SETUP(gpu_memory)
{
	char why[256];

	port_rig_up(&self->rig, &(struct port_rig_config){ .n_rx_desc = RING });
	self->rig.objects.descriptors = 0; /* CUDA opens some at any time */
	memory_rig_up(&self->memory, &self->rig);
	if (!cuda_open(&self->cuda, why, sizeof(why)))
		SKIP("%s", why);
	ASSERT_EQ(0, gpu_kernel_load(&self->kernel, &self->cuda));
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->shared);
	ASSERT_EQ(0,
		  self->cuda.register_host(self->shared, sizeof(*self->shared), CUDA_HOST_MAPPED));
	ASSERT_EQ(0, self->cuda.get_device_pointer(&self->gpu_shared, self->shared, 0));
}
FIXTURE_TEARDOWN(gpu_memory)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->pinned);
	if (self->shared) {
		EXPECT_EQ(0, self->cuda.unregister_host(self->shared));
		munmap(self->shared, sizeof(*self->shared));
	}
	gpu_kernel_unload(&self->kernel);
	cuda_close(&self->cuda);
	memory_rig_down(&self->memory);
}

static void register_packet_memory(struct ct_fix_gpu_memory *self, void *at, size_t bytes)
{
	uint64_t addr;

	ASSERT_EQ(0, self->cuda.register_host(at, bytes, CUDA_HOST_MAPPED));
	ASSERT_EQ(0, self->cuda.get_device_pointer(&addr, at, 0));
	self->gpu_offset = (ptrdiff_t)(addr - (uintptr_t)at);
}

/* Memory of EAL: that of the pool of the rig, in hugepages with PMD_TEST_HUGEPAGES. */
static struct rte_mempool *share_memory_of_EAL(struct ct_fix_gpu_memory *self)
{
	const struct rte_mempool_memhdr *chunk = STAILQ_FIRST(&self->rig.pool->mem_list);

	EXPECT_EQ(1, self->rig.pool->nb_mem_chunks);
	register_packet_memory(self, chunk->addr, chunk->len);
	return self->rig.pool;
}

static void unshare_memory_of_EAL(struct ct_fix_gpu_memory *self)
{
	EXPECT_EQ(0, self->cuda.unregister_host(STAILQ_FIRST(&self->rig.pool->mem_list)->addr));
}

/* Memory of the program: CUDA first, then DPDK, then a pool with pinned external buffers there. */
static struct rte_mempool *share_memory_of_program(struct ct_fix_gpu_memory *self)
{
	register_packet_memory(self, self->memory.memory, MEMORY_RIG_BYTES);
	memory_rig_extmem_register(&self->memory);
	EXPECT_EQ(0, memory_rig_map(&self->memory, 0, MEMORY_RIG_BYTES));
	self->pinned = memory_rig_make_pinned_pool(&self->memory, N_PINNED);
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, RING, SOCKET_ID_ANY, NULL,
					    self->pinned));
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
	return self->pinned;
}

static void unshare_memory_of_program(struct ct_fix_gpu_memory *self)
{
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, memory_rig_unmap(&self->memory, 0, MEMORY_RIG_BYTES));
	memory_rig_extmem_unregister(&self->memory);
	EXPECT_EQ(0, self->cuda.unregister_host(self->memory.memory));
}

static const struct kind {
	const char *name;
	struct rte_mempool *(*share)(struct ct_fix_gpu_memory *self);
	void (*unshare)(struct ct_fix_gpu_memory *self);
} kinds[] = {
	{ "memory_of_EAL", share_memory_of_EAL, unshare_memory_of_EAL },
	{ "memory_of_the_program", share_memory_of_program, unshare_memory_of_program },
};

static uint64_t find_shared(const struct ct_fix_gpu_memory *self, const void *at)
{
	return self->gpu_shared + (uint64_t)((const char *)at - (const char *)self->shared);
}

/* Lets the GPU write, or only check, the parts of @n packets at shared->at. */
static void run_kernel(struct ct_fix_gpu_memory *self, bool write, uint32_t first, uint32_t n,
		       uint32_t bytes)
{
	const struct gpu_parts parts = { .at = find_shared(self, self->shared->at),
					 .n_right = find_shared(self, &self->shared->n_right),
					 .first = first,
					 .n = n,
					 .bytes = bytes };

	self->shared->n_right = 0;
	ASSERT_EQ(0, gpu_kernel_run(&self->kernel, write, &parts));
	EXPECT_EQ(n, self->shared->n_right);
}

/* Points shared->at to byte @offset of each packet. */
static void point_to(struct ct_fix_gpu_memory *self, struct rte_mbuf *const *m, uint16_t n,
		     uint32_t offset)
{
	for (uint16_t i = 0; i < n; i++)
		self->shared->at[i] = (uint64_t)(rte_pktmbuf_mtod_offset(m[i], char *, offset) +
						 self->gpu_offset);
}

/* Receives packets @first to @first + BATCH - 1 into @pool; the GPU checks them. */
static void receive_batch(struct ct_fix_gpu_memory *self, const struct rte_mempool *pool,
			  uint32_t offset, uint32_t bytes, uint32_t first)
{
	struct rte_mbuf *m[BATCH];

	for (uint16_t done = 0, n; done < BATCH; done += n) {
		n = port_rig_receive(&self->rig, m, BATCH - done);
		ASSERT_NE(0, n);
		for (uint16_t i = 0; i < n; i++) {
			EXPECT_EQ(pool, m[i]->pool);
			EXPECT_EQ(offset + bytes, m[i]->pkt_len);
		}
		point_to(self, m, n, offset);
		run_kernel(self, false, first + done, n, bytes);
		rte_pktmbuf_free_bulk(m, n);
	}
}

TEST_F_EACH(gpu_memory, kernels_write_and_check_packets_of_a_generator_ring, struct kind, kinds)
{
	const struct rte_mempool *pool = row->share(self);
	struct shared *shared = self->shared;
	struct rte_pmd_devx_ring_conf conf = { .frame_bytes = 60,
					       .n_packets = 2 * BATCH,
					       .patch = { patch } };
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, 7);
	struct rte_pmd_devx_ring *ring;

	conf.frame = rte_pktmbuf_mtod(m, const void *);
	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &ring));
	rte_pktmbuf_free(m);
	for (uint32_t first = 0; first < ROUNDS * BATCH; first += BATCH) {
		for (uint16_t i = 0; i < BATCH; i++)
			shared->at[i] = find_shared(self, shared->patches + i * patch.bytes);
		run_kernel(self, true, first, BATCH, patch.bytes);
		for (uint16_t i = 0; i < BATCH;)
			i += rte_pmd_devx_ring_send(ring, shared->patches + i * patch.bytes,
						    (uint16_t)(BATCH - i));
		receive_batch(self, pool, patch.offset, patch.bytes, first);
	}
	self->rig.n_generated = ROUNDS * BATCH;
	self->rig.generated_bytes = ROUNDS * BATCH * 60;
	rte_pmd_devx_ring_destroy(ring);
	row->unshare(self);
}

/* Frees what the device has sent. Returns whether @pool has a batch of buffers. */
static bool has_batch(const struct port_rig *rig, void *pool)
{
	rte_eth_tx_done_cleanup(rig->port, 0, 0);
	return rte_mempool_avail_count(pool) >= BATCH;
}

TEST_F_EACH(gpu_memory, kernels_write_and_check_packets_of_a_send_queue, struct kind, kinds)
{
	struct rte_mempool *const pool = row->share(self);
	struct port_rig from = self->rig;
	struct rte_mbuf *m[BATCH];

	from.pool = pool;
	for (uint32_t first = 0; first < ROUNDS * BATCH; first += BATCH) {
		ASSERT_TRUE(port_rig_wait_until(has_batch, &self->rig, pool));
		for (uint16_t i = 0; i < BATCH; i++) {
			m[i] = port_rig_make_packet(&from, FRAME, first + i);
			ASSERT_NE(NULL, m[i]);
		}
		point_to(self, m, BATCH, HEADERS);
		run_kernel(self, true, first, BATCH, FRAME - HEADERS);
		ASSERT_TRUE(port_rig_send(&self->rig, m, BATCH));
		receive_batch(self, pool, HEADERS, FRAME - HEADERS, first);
	}
	row->unshare(self);
}

TEST_F(gpu_memory, port_starts_with_buffers_in_memory_of_the_GPU)
{
	struct rte_pmd_devx_dmabuf buf = { .length = GPU_BYTES,
					   .access = RTE_PMD_DEVX_DMABUF_WRITE };

	ASSERT_EQ(0, self->cuda.allocate(&buf.address, GPU_BYTES));
	buf.fd = cuda_export(&self->cuda, buf.address, GPU_BYTES);
	ASSERT_LE(0, buf.fd);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, rte_pmd_devx_dmabuf_register(self->rig.port, &buf));
	close(buf.fd);
	self->pinned =
		rte_pmd_devx_dmabuf_pool_create("gpu", 2 * RING, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
						SOCKET_ID_ANY, buf.address, GPU_BYTES);
	ASSERT_NE(NULL, self->pinned);
	EXPECT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, RING, SOCKET_ID_ANY, NULL,
					    self->pinned));
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
		EXPECT_EQ(RING, rte_mempool_in_use_count(self->pinned));
		EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	EXPECT_EQ(0, rte_pmd_devx_dmabuf_unregister(self->rig.port, buf.address));
	EXPECT_EQ(0, self->cuda.free(buf.address));
}

/* The kernel needs peer memory for such an address. emu has none, as a kernel without it. */
TEST_F(gpu_memory, mapped_address_of_the_GPU_needs_a_registration)
{
	struct memory_rig memory = self->memory;
	uint64_t addr;

	NEEDS_EMU("which registers no address of a GPU");
	ASSERT_EQ(0, self->cuda.allocate(&addr, GPU_BYTES));
	memory.memory = (char *)(uintptr_t)addr; /* NOLINT(performance-no-int-to-ptr) */
	memory_rig_extmem_register(&memory);
	port_rig_read_log();
	EXPECT_EQ(-EFAULT, memory_rig_map(&memory, 0, MEMORY_RIG_BYTES));
	memory_rig_expect_one_line("rte_pmd_devx_dmabuf_register()");
	memory_rig_extmem_unregister(&memory);
	EXPECT_EQ(0, self->cuda.free(addr));
}
