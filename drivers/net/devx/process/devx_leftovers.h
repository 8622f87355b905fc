/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LEFTOVERS_H
#define DEVX_ETH_LEFTOVERS_H

#include "devx_port.h"

/** DOC: Queues and mempool caches that a secondary process leaves behind */

/**
 * devx_eth_leftovers_add_queue - add a new queue to those that a secondary process may leave behind
 * @eth: its port
 * @user: of the queue
 * @owner: enum devx_eth_owner of the queue
 */
void devx_eth_leftovers_add_queue(struct devx_eth *eth, struct devx_eth_user *user,
				  uint32_t *owner);

/**
 * devx_eth_leftovers_remove_queue - remove a queue before it is freed
 *
 * ethdev frees queues without a lock. After this call, the cleanup after an ended process, which
 * runs on another thread, no longer finds the queue.
 */
void devx_eth_leftovers_remove_queue(struct devx_eth *eth, struct devx_eth_user *user);

/**
 * devx_eth_leftovers_release_queues - give the queues of an ended process to the recovery timer
 * @eth: a port
 * @process: number of the process
 *
 * The timer resets them and frees their mbufs.
 */
void devx_eth_leftovers_release_queues(struct devx_eth *eth, uint32_t process);

/** devx_eth_leftovers_end_users - forget which process uses which queue; no process uses any */
void devx_eth_leftovers_end_users(struct devx_eth *eth);

/**
 * devx_eth_leftovers_empty_caches - empty the caches of some lcores in all mempools
 * @lcores: a bit for each lcore that no living process has, DEVX_ETH_LCORE_WORDS words
 *
 * The pool no longer gets the buffers in these caches. DPDK changes the length of a cache before or
 * after its contents, so some of them may also be in the pool, or in use. Source:
 * rte_mempool_do_generic_put.
 *
 * Return: how many buffers they had
 */
unsigned int devx_eth_leftovers_empty_caches(const uint64_t *lcores);

#endif
