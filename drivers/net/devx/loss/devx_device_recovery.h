/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DEVICE_RECOVERY_H
#define DEVX_ETH_DEVICE_RECOVERY_H

#include "devx_port.h"

/**
 * DOC: Recovery of a lost device
 *
 *     DEVICE_FATAL --> gate closed, queues LOST      on EAL's interrupt thread
 *       PCI function gone ------------------------------------> INTR_RMV
 *       ERR_RECOVERING                               on the recovery thread, from here on
 *       bursts and functions end --> objects destroyed, context closed
 *       RDMA device returns --> context opened, all objects created --> RECOVERY_SUCCESS
 *       recovery_wait over, or another device -----> RECOVERY_FAILED, INTR_RMV
 *       PCI function gone at any time -------------> RECOVERY_FAILED, INTR_RMV
 *
 * Users read "Recovery of the device" in doc/net_devx.md. The recovery thread exists from a loss to
 * the end of the recovery. Callbacks of the application run on it.
 */

/** devx_eth_retry_ms - delay after a failed, logged attempt: 500 ms; only tests change it */
extern unsigned int devx_eth_retry_ms;

/**
 * devx_eth_recovery_begin - close the gate and start the recovery thread
 * @eth: a port that has just lost its device; the caller holds eth->lock
 *
 * Return: true, or false if the port cannot recover: recovery_wait is 0, the probe has not ended,
 * or the thread cannot be started
 */
bool devx_eth_recovery_begin(struct devx_eth *eth);

/** devx_eth_recovery_allow - let losses start a recovery; the last step of a probe */
void devx_eth_recovery_allow(struct devx_eth *eth);

/**
 * devx_eth_recovery_end - end a running recovery and prevent others; at close
 *
 * Waits for the recovery thread, unless a callback on that very thread closes the port. The caller
 * holds no lock.
 */
void devx_eth_recovery_end(struct devx_eth *eth);

#endif
