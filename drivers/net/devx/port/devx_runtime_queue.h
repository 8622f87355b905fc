/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RUNTIME_QUEUE_H
#define DEVX_ETH_RUNTIME_QUEUE_H

#include "devx_port.h"

/**
 * DOC: Queues that are set up and released while the port is started
 *
 * To replace a stopped queue, ethdev releases it and then sets up a new one:
 *
 *     release   the driver parks the Rx queue with its objects: the tables of RSS refer to its RQ
 *     set up    creates CQ and RQ --> enters the RQ in the tables --> destroys the parked queue
 *
 * If a set-up fails, the queue stays parked until the next set-up or until the port stops. A
 * released Tx queue is destroyed at once. The recovery timer is stopped during a set-up and during
 * the release of a Tx queue. The new queue is stopped, as the old one was.
 *
 * Meanwhile threads may burst on the other queues. The port switches to burst functions that suit
 * all its queues.
 */

/* Operations of ethdev, for a stopped port as well. A set-up returns 0 or -errno, logged. */
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
