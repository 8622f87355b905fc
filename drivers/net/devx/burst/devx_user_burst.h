/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_USER_BURST_H
#define DEVX_ETH_USER_BURST_H

#include "devx_port.h"

/**
 * DOC: Bursts of a secondary process
 *
 * A secondary process can be killed in the middle of a burst, which leaves the queue in an invalid
 * state. Therefore each queue has the number of the secondary process that uses it. The burst
 * functions and tx_done_cleanup of a secondary process first compare this number with their own.
 * Then they call the same function as the primary process:
 *
 *     0                    the process takes the queue
 *     its own number       the process has the queue
 *     another one          the burst moves no packet; the primary process reports that once
 *
 * When a process ends, the primary process resets its queues and then writes 0
 * (process/devx_leftovers.c). The burst functions of the primary process do not read the number.
 */

/** devx_eth_user_set_process - set the number of this process, before all bursts; 0: none yet */
void devx_eth_user_set_process(uint32_t process);
/** devx_eth_user_get_process - get the number of this process; 0: none yet */
uint32_t devx_eth_user_get_process(void);
/**
 * devx_eth_user_select - set the functions that the bursts of this process call
 * @port: number of the port in ethdev
 * @rx, @tx: burst functions for the port as it is started now
 */
void devx_eth_user_select(uint16_t port, eth_rx_burst_t rx, eth_tx_burst_t tx);
/** devx_eth_user_rx_burst - receive on a queue of this process; for ethdev */
uint16_t devx_eth_user_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_user_tx_burst - send on a queue of this process; for ethdev */
uint16_t devx_eth_user_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t n);
/** devx_eth_user_tx_done_cleanup - devx_eth_tx_done_cleanup() on a queue of this process */
int devx_eth_user_tx_done_cleanup(void *queue, uint32_t max);

#endif
