/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_mbuf.h>
#include <rte_mbuf_pool_ops.h>

#include "harness/life.h"

enum { SPARE_MBUFS = 255, LARGE_BUFFER = 32768 };

/* Without a cache: each mbuf is in the pool or in a ring. */
struct rte_mempool *bench_life_make_pool(uint16_t n_queues)
{
	return rte_pktmbuf_pool_create("bench_life", BENCH_LIFE_RING * n_queues + SPARE_MBUFS, 0, 0,
				       RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
}

int bench_outside_map(struct bench_outside *memory, unsigned int mib)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = ((size_t)mib << 20) + 2 * page;
	char *addr = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*memory = (struct bench_outside){ 0 };
	if (addr == MAP_FAILED)
		return -ENOMEM;
	*memory = (struct bench_outside){ addr, bytes };
	if (mprotect(addr + page, bytes - 2 * page, PROT_READ | PROT_WRITE)) {
		bench_outside_unmap(memory);
		return -ENOMEM;
	}
	return 0;
}

void bench_outside_unmap(struct bench_outside *memory)
{
	if (memory->addr)
		munmap(memory->addr, memory->bytes);
	*memory = (struct bench_outside){ 0 };
}

/* Returns whether the pool got buffers from each chunk. */
static bool add_chunks(struct rte_mempool *pool, const struct bench_outside *memory, unsigned int n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (unsigned int i = 0; i < n; i++)
		if (rte_mempool_populate_virt(pool, (char *)memory[i].addr + page,
					      memory[i].bytes - 2 * page, page, NULL, NULL) <= 0)
			return false;
	return true;
}

struct rte_mempool *bench_life_make_outside_pool(const char *name,
						 const struct bench_outside *memory, unsigned int n)
{
	const struct rte_pktmbuf_pool_private private = { .mbuf_data_room_size = LARGE_BUFFER };
	const unsigned int element = sizeof(struct rte_mbuf) + LARGE_BUFFER;
	struct rte_mempool *pool;
	size_t bytes = 0;

	for (unsigned int i = 0; i < n; i++)
		bytes += memory[i].bytes;
	pool = rte_mempool_create_empty(name, (unsigned int)(bytes / element), element, 0,
					sizeof(private), SOCKET_ID_ANY, 0);
	if (!pool)
		return NULL;
	if (rte_mempool_set_ops_byname(pool, rte_mbuf_best_mempool_ops(), NULL))
		goto failed;
	rte_pktmbuf_pool_init(pool, (void *)(uintptr_t) & private);
	if (!add_chunks(pool, memory, n))
		goto failed;
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
failed:
	rte_mempool_free(pool);
	return NULL;
}
