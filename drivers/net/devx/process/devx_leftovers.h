/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LEFTOVERS_H
#define DEVX_ETH_LEFTOVERS_H

#include "devx_port.h"

/** DOC: Queues and mempool caches that a secondary process leaves behind */

/**
 * devx_eth_leftovers_add_queue - add a new queue to the list of eth->users
 * @user: member of the queue
 * @owner: enum devx_eth_owner of the queue
 */
void devx_eth_leftovers_add_queue(struct devx_eth *eth, struct devx_eth_user *user,
				  uint32_t *owner);

/**
 * devx_eth_leftovers_remove_queue - remove a queue before it is freed
 *
 * ethdev frees queues without a lock. After this call, the thread that cleans up after an ended
 * process no longer finds the queue.
 */
void devx_eth_leftovers_remove_queue(struct devx_eth *eth, struct devx_eth_user *user);

/**
 * devx_eth_leftovers_release_queues - hand the queues of an ended process to the recovery timer
 * @process: number of the process
 *
 * The timer resets the queues and frees their mbufs.
 */
void devx_eth_leftovers_release_queues(struct devx_eth *eth, uint32_t process);

/** devx_eth_leftovers_end_users - clear the user of each queue; no process is attached any more */
void devx_eth_leftovers_end_users(struct devx_eth *eth);

/**
 * devx_eth_leftovers_empty_caches - empty the caches of some lcores in all mempools
 * @lcores: a bit for each lcore that no living process has, DEVX_ETH_LCORE_WORDS words
 *
 * The buffers in these caches are lost. They cannot go back to the pool, because some may already
 * be there, or in use: DPDK changes length and contents of a cache one after the other. Source:
 * rte_mempool_do_generic_put.
 *
 * Return: how many buffers the caches had
 */
unsigned int devx_eth_leftovers_empty_caches(const uint64_t *lcores);

#endif
