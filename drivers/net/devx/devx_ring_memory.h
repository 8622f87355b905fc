/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RING_MEMORY_H
#define DEVX_ETH_RING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "devx/umem.h"

struct devx_eth;

/**
 * DOC: Memory of the rings of queues
 *
 * A starting port allocates chunks of EAL memory for the rings of all its queues, in huge pages if
 * EAL has them. It registers each chunk once, as a umem, and a stop ends the registration:
 *
 *     | ring of a CQ | ring of its RQ or SQ | ring of a CQ | ... | doorbell records of all |
 *
 * The queues of a chunk have the same socket. While EAL allocates or frees memory, it calls the
 * driver, which takes devx_eth.lock. So a thread that holds this lock must do neither. A recovery
 * that replaces CQ and queue creates the new objects before it destroys the old ones. For the new
 * ones the recovery timer allocates a separate chunk, without the lock.
 *
 * A stopped port keeps the memory for the next start, until a queue is released. Otherwise each
 * restart could shrink and grow EAL's heap. The other started ports of the process register memory
 * that the heap gains, and may keep the old memory pinned.
 *
 * The lists of chunks need no lock, because their users follow each other: a start, then the timer,
 * then a stop, which waits for the timer. So does the setup or release of a queue of a started port
 * (port/devx_runtime_queue.c).
 */

/**
 * struct devx_eth_chunk - a chunk
 * @addr: the memory, or NULL: not allocated yet
 * @bytes: length, whole pages
 * @socket: socket of the memory, or SOCKET_ID_ANY
 * @ring_bytes: bytes of the rings, which come first, each a number of whole pages
 * @n_records: number of doorbell records behind them
 * @of_one: devx_eth_rings_reserve() allocated it for a single queue
 */
struct devx_eth_chunk {
	struct devx_eth_chunk *next;
	char *addr;
	size_t bytes;
	int socket;
	size_t ring_bytes;
	unsigned int n_records;
	bool of_one;
	struct devx_umem umem;
};

/**
 * struct devx_eth_ring_memory - memory of the rings of a port
 * @chunks: the chunks of a started port; the newest is first
 * @idle: chunks that a stopped port keeps for its next start
 * @n_stuck: value of dev->n_stuck before the chunks were allocated
 */
struct devx_eth_ring_memory {
	struct devx_eth_chunk *chunks, *idle;
	unsigned int n_stuck;
};

/**
 * struct devx_eth_rings - places of a CQ and of its RQ or SQ
 * @chunk: their chunk; NULL: none
 * @cq, @wq: offsets of the rings in the chunk
 * @record: number of the doorbell record of the CQ; the RQ or SQ has the next one
 */
struct devx_eth_rings {
	struct devx_eth_chunk *chunk;
	size_t cq, wq;
	unsigned int record;
};

/**
 * devx_eth_rings_place - find a place for two rings in a chunk that is not allocated yet
 * @memory: memory of the port; gets another chunk if no chunk of @socket has room
 * @rings: receives the place; unchanged on failure
 * @cq_bytes, @wq_bytes: sizes of the rings
 * @socket: socket of the memory, or SOCKET_ID_ANY
 *
 * Return: 0, or -ENOMEM, not logged.
 */
int devx_eth_rings_place(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			 size_t cq_bytes, size_t wq_bytes, int socket);

/**
 * devx_eth_ring_memory_allocate - allocate the chunks in which rings have places, or take idle ones
 * @failed: receives the chunk without memory, on failure
 *
 * Context: without devx_eth.lock. Return: 0, or -ENOMEM, not logged.
 */
int devx_eth_ring_memory_allocate(struct devx_eth_ring_memory *memory, const struct devx_dev *dev,
				  const struct devx_eth_chunk **failed);

/**
 * devx_eth_ring_memory_register - register the allocated chunks
 * @dev: device of the port; the caller holds devx_eth.lock
 *
 * Return: 0, or as devx_umem_create(), not logged.
 */
int devx_eth_ring_memory_register(struct devx_eth_ring_memory *memory, struct devx_dev *dev);

/** devx_eth_ring_memory_unregister - undo the registrations, after the queues were destroyed */
void devx_eth_ring_memory_unregister(struct devx_eth_ring_memory *memory);

/**
 * devx_eth_ring_memory_retire - make all chunks idle, unless the device may still write to them
 * @memory: memory of the port, without registrations
 *
 * If the kernel refused to destroy an object since devx_eth_ring_memory_allocate(), the memory of
 * all chunks stays allocated and unused until the process ends.
 */
void devx_eth_ring_memory_retire(struct devx_eth_ring_memory *memory, const struct devx_dev *dev);

/** devx_eth_ring_memory_free - free the idle chunks; without devx_eth.lock */
void devx_eth_ring_memory_free(struct devx_eth_ring_memory *memory);

/**
 * devx_eth_rings_reserve - allocate a chunk for two rings, if they have no place yet
 * @rings: receives the place; unchanged on failure
 * @memory, @cq_bytes, @wq_bytes, @socket: as for devx_eth_rings_place()
 *
 * Context: without devx_eth.lock. devx_eth_rings_register() registers the chunk.
 *
 * Return: 0, or -ENOMEM, not logged.
 */
int devx_eth_rings_reserve(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			   size_t cq_bytes, size_t wq_bytes, int socket);

/**
 * devx_eth_rings_retire - make the chunk of @rings idle, if no other queue has rings in it
 * @rings: place of destroyed queues, or none; all zero afterwards
 * @dev: device of the port. If it keeps the registration, the memory is not used again
 *
 * The caller holds devx_eth.lock, and the recovery timer is stopped.
 */
void devx_eth_rings_retire(struct devx_eth_ring_memory *memory, struct devx_eth_rings *rings,
			   const struct devx_dev *dev);

/** devx_eth_rings_register - register the chunk of @rings, if it is not; as devx_umem_create() */
int devx_eth_rings_register(struct devx_eth_rings *rings, struct devx_dev *dev);

struct devx_umem_ring devx_eth_rings_get_cq(const struct devx_eth_rings *rings);
struct devx_umem_ring devx_eth_rings_get_wq(const struct devx_eth_rings *rings);
void devx_eth_rings_swap(struct devx_eth_rings *a, struct devx_eth_rings *b);

/**
 * devx_eth_rings_check - forget a place that the device may still use
 * @rings: place of destroyed queues; all zero afterwards if the kernel refused to destroy one
 * @dev: device of the queues
 * @n_stuck: value of @dev->n_stuck before the queues were destroyed
 */
void devx_eth_rings_check(struct devx_eth_rings *rings, const struct devx_dev *dev,
			  unsigned int n_stuck);

/**
 * devx_eth_is_stuck - check whether the device may still use the mbufs of a destroyed queue
 * @n_stuck: value of eth->dev.n_stuck before the RQ or SQ was destroyed
 * @side: "Rx" or "Tx"
 *
 * True if the kernel refused to destroy the RQ or SQ: its mbufs must never go back to their pools.
 * This is logged. After the loss of the device every destroy fails, but the device no longer uses
 * the mbufs, so lib/devx does not count these failures (devx_dev.n_stuck).
 *
 * PRM-MISSING: a lost device accesses no memory (Linux then treats every destroy as done and frees
 * the packets of its netdev, mlx5_internal_err_ret_value; no source describes the device).
 */
bool devx_eth_is_stuck(struct devx_eth *eth, unsigned int n_stuck, const char *side,
		       uint16_t queue);

#endif
