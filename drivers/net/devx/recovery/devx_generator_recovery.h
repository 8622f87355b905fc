/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_RECOVERY_H
#define DEVX_ETH_GENERATOR_RECOVERY_H

#include "devx_generator.h"

/**
 * devx_eth_generator_create_queues - create CQ and SQ of a ring, and write all its units
 * @r: a ring without CQ and SQ, with its UAR; the caller holds eth->lock
 * @log2_n: log2 of the number of blocks
 *
 * Return: 0, or -errno, not logged; then devx_eth_generator_destroy_queues() removes what exists.
 */
int devx_eth_generator_create_queues(struct rte_pmd_devx_ring *r, uint8_t log2_n);
/** devx_eth_generator_destroy_queues - undo devx_eth_generator_create_queues() */
void devx_eth_generator_destroy_queues(struct rte_pmd_devx_ring *r);
/**
 * devx_eth_generator_recover - empty a BROKEN ring and restart it
 * @r: the ring; the caller holds eth->lock
 *
 * Return: 0, DEVX_ETH_WAITING (devx_flush_wait.h) or -errno, not logged. Unless it is 0, the ring
 * stays BROKEN.
 */
int devx_eth_generator_recover(struct rte_pmd_devx_ring *r);

#endif
