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
 * The functions run under eth->lock. Only a burst shows that no burst is running, so the timer
 * waits for it.
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

#endif
