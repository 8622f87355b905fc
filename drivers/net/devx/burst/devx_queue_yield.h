/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_YIELD_H
#define DEVX_ETH_QUEUE_YIELD_H

#include <stdint.h>

/**
 * devx_eth_queue_yield - give a queue away whose CQ failed or whose device is lost
 * @owner: owner of the queue, which is not RUNNING
 *
 * A queue with a failed CQ goes to the recovery timer, one of a lost device to the recovery of the
 * device. Called by the thread that bursts on the queue: only it knows that no burst is running.
 *
 * Return: 0, the result of the burst.
 */
uint16_t devx_eth_queue_yield(uint32_t *owner);

#endif
