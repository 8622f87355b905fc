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
 * Only a burst shows that no burst is running, so the timer waits for it. The other functions run
 * under eth->lock.
 */

/** devx_eth_rxq_fail_cq - mark @rxq for a new CQ; @syndrome is that of the event, or 0: unknown */
void devx_eth_rxq_fail_cq(struct devx_eth_rxq *rxq, uint8_t syndrome);
/** devx_eth_txq_fail_cq - do the same for a send queue */
void devx_eth_txq_fail_cq(struct devx_eth_txq *txq, uint8_t syndrome);
/** devx_eth_generator_fail_cq - do the same for a generator ring */
void devx_eth_generator_fail_cq(struct rte_pmd_devx_ring *r, uint8_t syndrome);

/**
 * devx_eth_owner_take - take a queue from the bursts
 * @owner: owner of the queue; the function leaves any owner but RUNNING as it is
 * @new: DEVX_ETH_FAILED or DEVX_ETH_LOST
 */
void devx_eth_owner_take(uint32_t *owner, enum devx_eth_owner new);

/**
 * devx_eth_owner_give - hand an active queue to the bursts
 * @owner: owner of the queue; the function leaves any owner but STOPPED as it is
 */
void devx_eth_owner_give(uint32_t *owner);

/**
 * devx_eth_queue_yield - end the use of a queue whose CQ failed or whose device is lost
 * @owner: owner of the queue, which is not RUNNING
 *
 * A queue with a failed CQ goes to the recovery timer, one of a lost device to the recovery of the
 * device. The thread that bursts on the queue calls this.
 *
 * Return: 0, the result of the burst.
 */
uint16_t devx_eth_queue_yield(uint32_t *owner);

#endif
