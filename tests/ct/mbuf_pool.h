/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MBUF_POOL_H
#define MBUF_POOL_H

#include <stdlib.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "ct.h"

/**
 * DOC: Every mbuf of a pool is back, once, and no other one
 *
 * rte_mempool_avail_count() never exceeds the size of the pool. A driver that frees every mbuf
 * twice, or one mbuf twice and loses another one, therefore leaves a right count behind. These
 * functions take the mbufs out of the pool and compare their addresses, and the pools that they
 * belong to.
 */

static inline int mbuf_pool_compare(const void *a, const void *b)
{
	const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return (x > y) - (x < y);
}

/* Counts the mbufs of the sorted list @m that equal the one before; names the first of them. */
static inline void mbuf_pool_expect_different(void *const *m, unsigned int n)
{
	unsigned int twice = 0;
	const void *first = NULL;

	for (unsigned int i = 1; i < n; i++)
		if (m[i] == m[i - 1] && !twice++)
			first = m[i];
	if (twice)
		ADD_FAILURE("%u mbufs are in the pool twice, the first one is %p", twice, first);
}

/* Counts the mbufs of the list @m that belong to another pool. */
static inline void mbuf_pool_expect_own(const struct rte_mempool *pool, void *const *m,
					unsigned int n)
{
	unsigned int foreign = 0;

	for (unsigned int i = 0; i < n; i++)
		foreign += ((const struct rte_mbuf *)m[i])->pool != pool;
	if (foreign)
		ADD_FAILURE("%u mbufs of other pools are in the pool", foreign);
}

/** mbuf_pool_expect - expect @pool to hold @n of its mbufs, each once; its users stand still */
static inline void mbuf_pool_expect(struct rte_mempool *pool, unsigned int n)
{
	const unsigned int room = 2 * pool->populated_size + 1; /* each mbuf twice, one more */
	void **m = calloc(room, sizeof(*m));
	unsigned int k = 0;

	SCOPED_TRACE("pool %s of %u mbufs", pool->name, pool->populated_size);
	ASSERT_NE(NULL, m);
	while (k < room && !rte_mempool_get(pool, &m[k]))
		k++;
	EXPECT_EQ(n, k);
	qsort(m, k, sizeof(*m), mbuf_pool_compare);
	mbuf_pool_expect_different(m, k);
	mbuf_pool_expect_own(pool, m, k);
	rte_mempool_put_bulk(pool, m, k);
	free(m);
}

/** mbuf_pool_expect_all - expect all mbufs to be in @pool, each once; its users stand still */
static inline void mbuf_pool_expect_all(struct rte_mempool *pool)
{
	mbuf_pool_expect(pool, pool->populated_size);
}

/** mbuf_pool_free - mbuf_pool_expect_all(), then free @pool; NULL: nothing to do */
static inline void mbuf_pool_free(struct rte_mempool *pool)
{
	if (!pool)
		return;
	mbuf_pool_expect_all(pool);
	rte_mempool_free(pool);
}

#endif
