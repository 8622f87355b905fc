/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_DRAIN_H
#define DEVX_ETH_TX_DRAIN_H

#include "devx_txq.h"

/**
 * DOC: Posted packets of a send queue that stops
 *
 * Only one of several WQEs requests a CQE. So a NOP behind the last packets requests one, as in
 * Linux' mlx5e_deactivate_txqsq(), and the stop waits for it, for 100 ms at most. Packets that the
 * device has not sent by then count as lost.
 *
 * Under eth->lock; no thread bursts on the queues meanwhile.
 */

/** devx_eth_txq_drain - take a queue from the bursts and wait until the device has sent all */
void devx_eth_txq_drain(struct devx_eth_txq *txq);
/** devx_eth_port_drain - devx_eth_txq_drain() for all queues of a port at the same time */
void devx_eth_port_drain(struct devx_eth *eth);

#endif
