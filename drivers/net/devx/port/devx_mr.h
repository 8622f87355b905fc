/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_H
#define DEVX_ETH_MR_H

#include <stdint.h>

#include "devx_port.h"

/**
 * devx_eth_memory_add - register the parts of [addr, addr + bytes) that no range holds yet
 *
 * Context: under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_memory_add(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/**
 * devx_eth_memory_add_dmabuf - add a dma-buf to the table; the caller keeps @mr
 * @write: the device may write
 *
 * Context: under eth->lock. No range of the table overlaps @mr.
 *
 * Return: 0 or -ENOMEM, logged.
 */
int devx_eth_memory_add_dmabuf(struct devx_eth *eth, const struct devx_mr *mr, bool write);
/**
 * devx_eth_memory_remove - take freed memory off the table, and end registrations that have no
 * other memory
 *
 * EAL calls it before it unmaps the memory. The application no longer sends or receives there.
 *
 * Context: under eth->lock.
 *
 * Return: 0 or -ENOMEM: the table is as before.
 */
int devx_eth_memory_remove(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/** devx_eth_memory_release - end all registrations and free all tables; under eth->lock */
void devx_eth_memory_release(struct devx_eth *eth);

#endif
