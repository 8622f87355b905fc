/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_H
#define DEVX_ETH_MR_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Registrations and the table of their ranges
 *
 *     registrations   |--------- MR ---------|     |- MR of a dma-buf -|   |--- MR ---|
 *     ranges          |------ range -----|         |------ range ------|   |- range --|
 *     uses            |--- mapped ---|                                     |- mapped -|
 *                           |--- pool ---|
 *
 * Each function that changes the table changes a copy, and publishes it at the end. A registration
 * ends when it contains no range any more. All functions below run under eth->lock.
 */

/**
 * devx_eth_memory_add - register the parts of @n pieces that no range contains yet
 *
 * Pieces that are not EAL's become uses. A failure for memory of the kind BUFFERS is only logged,
 * at level INFO, because the port may never get packets there.
 *
 * Return: 0; or -errno, logged, and all is as before.
 */
int devx_eth_memory_add(struct devx_eth *eth, const struct devx_eth_piece *piece, unsigned int n);
/**
 * devx_eth_memory_add_dmabuf - add a dma-buf to the table; the caller keeps @mr
 * @write: the device may write
 *
 * No range of the table overlaps @mr.
 *
 * Return: 0 or -ENOMEM, logged.
 */
int devx_eth_memory_add_dmabuf(struct devx_eth *eth, const struct devx_mr *mr, bool write);
/**
 * devx_eth_memory_remove - remove freed memory from the table
 *
 * EAL calls it before it unmaps the memory. The application no longer sends or receives there.
 *
 * Return: 0 or -ENOMEM: the table is as before.
 */
int devx_eth_memory_remove(struct devx_eth *eth, uint64_t addr, uint64_t bytes);
/**
 * devx_eth_memory_end_pool - end the uses of a pool that is being freed
 *
 * Return: 0 or -ENOMEM: the table is as before.
 */
int devx_eth_memory_end_pool(struct devx_eth *eth, const struct rte_mempool *pool);
/** devx_eth_memory_end_map - as devx_eth_memory_end_pool() for the memory mapped at @addr */
int devx_eth_memory_end_map(struct devx_eth *eth, uint64_t addr);
/** devx_eth_memory_outlives_map - check whether @at stays registered when its mapping ends */
bool devx_eth_memory_outlives_map(const struct devx_eth *eth, uint64_t at);
/** devx_eth_memory_stop - keep only mapped memory and dma-bufs; the bursts have ended */
void devx_eth_memory_stop(struct devx_eth *eth);
/** devx_eth_memory_suspend - end all registrations, because the device is lost; mappings stay */
void devx_eth_memory_suspend(struct devx_eth *eth);
/** devx_eth_memory_resume - register mapped memory again. Return: 0 or -errno, logged */
int devx_eth_memory_resume(struct devx_eth *eth);
/** devx_eth_memory_release - end all registrations, forget all uses and free all tables */
void devx_eth_memory_release(struct devx_eth *eth);

#endif
