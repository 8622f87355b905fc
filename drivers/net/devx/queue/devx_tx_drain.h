/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_DRAIN_H
#define DEVX_ETH_TX_DRAIN_H

#include "devx_txq.h"

/**
 * DOC: How a send queue stops while packets are posted
 *
 * The driver posts a NOP after the last packets to request a CQE (devx_eth_tx_request_cqe()), as
 * Linux does in mlx5e_deactivate_txqsq(), and waits for the CQE. Packets that the device has not
 * sent within devx_eth_send_wait_ms count as lost.
 *
 * The caller holds eth->lock, and no thread bursts on the queues meanwhile.
 */

enum { DEVX_ETH_SEND_POLL_US = 20 };

/**
 * devx_eth_send_wait_ms - how long one stop waits for packets: 500 ms
 *
 * Sending a ring of 4096 frames of 9 KB takes 30 ms at 10 Gb/s, or more with pause frames. Only
 * tests change this: on a busy machine, the engine of emu may get no CPU for 500 ms.
 */
extern unsigned int devx_eth_send_wait_ms;

/** devx_eth_send_wait_end - get the end of a wait that begins now, in cycles of the timer */
uint64_t devx_eth_send_wait_end(void);

/** devx_eth_txq_drain - take a queue from the bursts and wait until the device has sent all */
void devx_eth_txq_drain(struct devx_eth_txq *txq);
/** devx_eth_port_drain - devx_eth_txq_drain() for all queues of a port at the same time */
void devx_eth_port_drain(struct devx_eth *eth);

#endif
