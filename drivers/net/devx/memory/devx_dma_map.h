/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DMA_MAP_H
#define DEVX_ETH_DMA_MAP_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Memory that the application maps and unmaps: rte_dev_dma_map()
 *
 * A mapping is a use of memory (devx_mr.h), from probe to close, whether the port is started or
 * not. Parts that already have a key keep it: a mapping inside a dma-buf uses the registration of
 * the dma-buf. Memory of a GPU outside a dma-buf needs support in the kernel (peer memory).
 *
 * When memory is unmapped, a ring may still have unsent packets there. Their memory key no longer
 * exists, so the device reports an error, and the recovery timer restarts the queue.
 */

/** devx_eth_memory_map - register memory, under eth->lock. Return: 0 or -errno, logged */
int devx_eth_memory_map(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/**
 * devx_eth_memory_unmap - end a mapping, under eth->lock
 *
 * Return: 0, or, logged,
 *   -ENOENT   nothing is mapped at @addr
 *   -EINVAL   the mapping has another length
 *   -EBUSY    a receive queue has a pool with buffers there
 *   -ENOMEM   out of memory; the mapping stays
 */
int devx_eth_memory_unmap(struct devx_eth *eth, uint64_t addr, uint64_t bytes);

#endif
