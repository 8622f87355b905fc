/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <unistd.h>

#include <rte_malloc.h>

#include "devx_ring_memory.h"

int devx_eth_rings_alloc(struct devx_eth_rings *rings, size_t cq_bytes, size_t wq_bytes, int socket)
{
	char *block;

	if (rings->cq.addr)
		return 0;
	/* lib/devx zeroes it */
	block = rte_malloc_socket("devx_rings", cq_bytes + wq_bytes,
				  (unsigned int)sysconf(_SC_PAGESIZE), socket);
	if (!block)
		return -ENOMEM;
	rings->cq = (struct devx_ring_mem){ block, cq_bytes };
	rings->wq = (struct devx_ring_mem){ block + cq_bytes, wq_bytes };
	return 0;
}

void devx_eth_rings_free(struct devx_eth_rings *rings)
{
	rte_free(rings->cq.addr);
	*rings = (struct devx_eth_rings){ 0 };
}

void devx_eth_rings_swap(struct devx_eth_rings *a, struct devx_eth_rings *b)
{
	const struct devx_eth_rings old = *a;

	*a = *b;
	*b = old;
}

void devx_eth_rings_check(struct devx_eth_rings *rings, const struct devx_dev *dev,
			  unsigned int n_stuck)
{
	if (dev->n_stuck != n_stuck)
		*rings = (struct devx_eth_rings){ 0 };
}
