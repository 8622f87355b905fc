/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RING_MEMORY_H
#define DEVX_ETH_RING_MEMORY_H

#include <stddef.h>

#include "devx/mem.h"

/**
 * DOC: Memory of the rings of a queue
 *
 * One block of EAL memory on the socket of the queue, in huge pages if EAL has them:
 *
 *     | ring of the CQ | its doorbell record | ring of the RQ or SQ | its doorbell record |
 *
 * Queue setup allocates the block, and the release of the queue frees it. EAL calls the driver
 * while it allocates and frees, and the driver then takes devx_eth.lock. So no thread that holds
 * this lock may allocate or free. A recovery that replaces CQ and queue needs a second block,
 * because it creates the new objects first; the recovery timer allocates it without the lock.
 */

/** struct devx_eth_rings - memory of a CQ and of an RQ or SQ; all zero: none */
struct devx_eth_rings {
	struct devx_ring_mem cq, wq;
};

/**
 * devx_eth_rings_alloc - allocate the memory of two rings
 * @rings: receives the memory; not changed if it has memory, or on failure
 * @cq_bytes: from devx_cq_bytes()
 * @wq_bytes: from devx_rq_bytes() or devx_sq_bytes()
 * @socket: socket of the memory, or SOCKET_ID_ANY
 *
 * Context: without devx_eth.lock.
 *
 * Return: 0, or -ENOMEM, not logged.
 */
int devx_eth_rings_alloc(struct devx_eth_rings *rings, size_t cq_bytes, size_t wq_bytes,
			 int socket);

/** devx_eth_rings_free - free the memory, if any; without devx_eth.lock, and without its queues */
void devx_eth_rings_free(struct devx_eth_rings *rings);

/** devx_eth_rings_swap - exchange the memory of @a and @b */
void devx_eth_rings_swap(struct devx_eth_rings *a, struct devx_eth_rings *b);

/**
 * devx_eth_rings_check - forget memory that the device may still use
 * @rings: memory of destroyed queues; all zero afterwards if the kernel refused to destroy one
 * @dev: device of the queues
 * @n_stuck: value of @dev->n_stuck before the queues were destroyed
 *
 * The process keeps forgotten memory until it ends, and nobody uses it for anything else. A queue
 * without memory of EAL gets memory of lib/devx.
 */
void devx_eth_rings_check(struct devx_eth_rings *rings, const struct devx_dev *dev,
			  unsigned int n_stuck);

#endif
