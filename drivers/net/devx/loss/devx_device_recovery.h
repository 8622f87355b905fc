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
 *       bursts and functions ended --> objects destroyed, context closed
 *       RDMA device returns --> context opened, all objects created --> RECOVERY_SUCCESS
 *       recovery_wait over, or another device -----> RECOVERY_FAILED, INTR_RMV
 *       PCI function gone at any time -------------> RECOVERY_FAILED, INTR_RMV
 *
 * doc/net_devx.md, "Recovery of the device", is the page for users. The recovery thread exists from
 * a loss to the end of its recovery. Callbacks of the application run on it.
 */

/**
 * devx_eth_retry_ms - time after an attempt that failed, whose line is in the log, 500 ms
 *
 * Only tests change it.
 */
extern unsigned int devx_eth_retry_ms;

/**
 * devx_eth_recovery_begin - close the gate and start the recovery thread
 * @eth: a port that lost its device just now; the caller holds eth->lock
 *
 * Return: false: the port does not recover, because of recovery_wait=0, or before the end of a
 * probe, or without memory for a thread
 */
bool devx_eth_recovery_begin(struct devx_eth *eth);

/** devx_eth_recovery_allow - at the end of a probe: from now on a loss starts a recovery */
void devx_eth_recovery_allow(struct devx_eth *eth);

/**
 * devx_eth_recovery_end - end a recovery that is under way, and allow no other; at close
 *
 * Waits for the recovery thread, unless a callback on that thread itself closes the port. The
 * caller holds no lock.
 */
void devx_eth_recovery_end(struct devx_eth *eth);

#endif
