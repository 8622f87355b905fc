/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RUNTIME_QUEUE_H
#define DEVX_ETH_RUNTIME_QUEUE_H

#include "devx_port.h"

/**
 * DOC: Queues that are set up and released while the port is started
 *
 * ethdev first releases the old queue, which is stopped, then sets up the new one:
 *
 *     release   the Rx queue is parked, with its objects: the tables of RSS still have its RQ
 *     set up    new CQ and RQ --> the tables have the new RQ --> the parked queue is destroyed
 *
 * If the set-up fails, the parked queue stays until the next one, or until the port stops. A
 * released Tx queue is destroyed at once. A set-up, and the release of a Tx queue, stop the
 * recovery timer meanwhile. The new queue is stopped, as the old one was.
 *
 * Threads may burst on the other queues all the time. The port gets the burst functions that all
 * its queues need.
 */

/* Operations for ethdev, also on a stopped port. A set-up returns 0 or -errno, logged. */
int devx_eth_runtime_rxq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
			       unsigned int socket, const struct rte_eth_rxconf *conf,
			       struct rte_mempool *pool);
int devx_eth_runtime_txq_setup(struct rte_eth_dev *ethdev, uint16_t queue, uint16_t n_desc,
			       unsigned int socket, const struct rte_eth_txconf *conf);
void devx_eth_runtime_rxq_release(struct rte_eth_dev *ethdev, uint16_t queue);
void devx_eth_runtime_txq_release(struct rte_eth_dev *ethdev, uint16_t queue);

/** devx_eth_runtime_stop_parked - destroy the objects of parked queues; under eth->lock */
void devx_eth_runtime_stop_parked(struct devx_eth *eth);
/** devx_eth_runtime_free_parked - free parked queues without objects; without eth->lock */
void devx_eth_runtime_free_parked(struct devx_eth *eth);

#endif
