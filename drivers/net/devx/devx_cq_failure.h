/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CQ_FAILURE_H
#define DEVX_ETH_CQ_FAILURE_H

#include "devx_generator.h"
#include "devx_rxq.h"
#include "devx_txq.h"

/**
 * DOC: A queue whose CQ failed
 *
 *     event, or state of the CQ --> FAILED --> next burst --> BROKEN --> recovery timer
 *
 * A burst may be running when the CQ fails. Only the next burst proves that it has ended, so the
 * timer waits for this next burst. All functions but devx_eth_queue_yield() run under eth->lock.
 */

/** devx_eth_rxq_fail_cq - mark @rxq for a new CQ; @syndrome is that of the event, 0 if unknown */
void devx_eth_rxq_fail_cq(struct devx_eth_rxq *rxq, uint8_t syndrome);
/** devx_eth_txq_fail_cq - do the same for a send queue */
void devx_eth_txq_fail_cq(struct devx_eth_txq *txq, uint8_t syndrome);
/** devx_eth_generator_fail_cq - do the same for a generator ring */
void devx_eth_generator_fail_cq(struct rte_pmd_devx_ring *r, uint8_t syndrome);
/**
 * devx_eth_owner_take - make the next burst give up a queue, because its CQ or the device failed
 * @owner: owner of the queue; changes only if it is DEVX_ETH_RUNNING
 * @new: DEVX_ETH_FAILED or DEVX_ETH_LOST
 */
void devx_eth_owner_take(uint32_t *owner, enum devx_eth_owner new);
/**
 * devx_eth_owner_give - hand an active queue to the bursts
 * @owner: owner of the queue; the function leaves any owner but STOPPED as it is
 */
void devx_eth_owner_give(uint32_t *owner);

/**
 * devx_eth_queue_yield - hand over a queue whose CQ failed or whose device is lost
 * @owner: owner of the queue, which is not DEVX_ETH_RUNNING
 *
 * The thread that bursts on the queue calls this. A queue with a failed CQ goes to the recovery
 * timer, a queue of a lost device to the recovery of the device.
 *
 * Return: 0, the result of the burst.
 */
uint16_t devx_eth_queue_yield(uint32_t *owner);

#endif
