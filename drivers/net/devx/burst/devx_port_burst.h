/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_BURST_H
#define DEVX_ETH_PORT_BURST_H

#include "devx_port.h"

/**
 * DOC: Burst functions of a started port
 *
 * ethdev passes the queue to a burst function, or NULL if the queue is not set up. A port that
 * lacks a queue therefore has functions that first check for NULL, and then call those for queues
 * that are set up.
 */

/**
 * devx_eth_port_burst_set - give a port the functions that its queues need
 * @ethdev: a port that starts or is started; threads may burst meanwhile
 * @lacks_queue: the caller is about to remove a queue from the port
 */
void devx_eth_port_burst_set(struct rte_eth_dev *ethdev, bool lacks_queue);
/** devx_eth_port_burst_get_rx - get the function for receive queues that are set up */
eth_rx_burst_t devx_eth_port_burst_get_rx(const struct rte_eth_dev *ethdev);
/** devx_eth_port_burst_get_tx - get the function for send queues that are set up */
eth_tx_burst_t devx_eth_port_burst_get_tx(const struct rte_eth_dev *ethdev);

#endif
