/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_DRAIN_H
#define DEVX_ETH_TX_DRAIN_H

#include "devx_txq.h"

/**
 * DOC: Posted packets of a send queue that stops
 *
 * A NOP behind the last packets requests a CQE (devx_eth_tx_request_cqe()), as in Linux'
 * mlx5e_deactivate_txqsq(), and the stop waits for it. Packets that the device has not sent
 * in devx_eth_send_wait_ms count as lost.
 *
 * Under eth->lock; no thread bursts on the queues meanwhile.
 */

enum { DEVX_ETH_SEND_POLL_US = 20 };

/**
 * devx_eth_send_wait_ms - longest wait for the packets of one stop, 500 ms
 *
 * A ring of 4096 frames of 9 KB takes 30 ms at 10 Gb/s; pause frames can make it longer. Only tests
 * change it: on a busy machine, emu's engine may get no CPU in 500 ms.
 */
extern unsigned int devx_eth_send_wait_ms;

/** devx_eth_send_wait_end - when a wait that begins now ends, in cycles of the timer */
uint64_t devx_eth_send_wait_end(void);

/** devx_eth_txq_drain - take a queue from the bursts and wait until the device has sent all */
void devx_eth_txq_drain(struct devx_eth_txq *txq);
/** devx_eth_port_drain - devx_eth_txq_drain() for all queues of a port at the same time */
void devx_eth_port_drain(struct devx_eth *eth);

#endif
