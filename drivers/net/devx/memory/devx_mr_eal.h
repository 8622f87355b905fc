/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_EAL_H
#define DEVX_ETH_MR_EAL_H

#include <stdbool.h>

#include "devx_port.h"

/** struct devx_eth_pieces - list of memory of EAL and mempools; @failed: the list could not grow */
struct devx_eth_pieces {
	struct devx_eth_piece *piece;
	unsigned int n, room;
	bool failed;
};

/**
 * devx_eth_memory_list - list the memory of EAL and of mempools, and follow changes from now on
 * @pieces: receives the list; devx_eth_memory_register() frees it
 *
 * Takes locks of EAL, so the caller must not hold @eth->lock: EAL holds its locks while it calls
 * the driver, which then takes @eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_list(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/**
 * devx_eth_memory_register - register a list, and free it
 *
 * Context: under eth->lock. Return: 0 or -errno, logged.
 */
int devx_eth_memory_register(struct devx_eth *eth, struct devx_eth_pieces *pieces);
/** devx_eth_memory_drop_list - free a list, and leave it empty */
void devx_eth_memory_drop_list(struct devx_eth_pieces *pieces);
/** devx_eth_memory_list_buffers - append the pinned external buffers of a pool, if it has any */
void devx_eth_memory_list_buffers(struct rte_mempool *pool, struct devx_eth_pieces *pieces);
/**
 * devx_eth_memory_add_buffers - register the pinned external buffers of a pool, if it has any
 *
 * Context: under eth->lock; a port calls it for the pools of its receive queues.
 *
 * Return: 0, even if the kernel refuses memory; or -ENOMEM, logged.
 */
int devx_eth_memory_add_buffers(struct devx_eth *eth, struct rte_mempool *pool);
/** devx_eth_memory_unlisten - ignore changes of memory from now on; not under @eth->lock */
void devx_eth_memory_unlisten(struct devx_eth *eth);

#endif
