/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROCESSES_H
#define DEVX_ETH_PROCESSES_H

#include "process/devx_message.h"

/**
 * DOC: The secondary processes of the primary process
 *
 * The primary process answers ATTACH and looks every 10 ms which secondary processes ended. After
 * the end of one it
 *
 *     1. empties the mempool caches of its lcores: the process may have changed one halfway,
 *     2. gives its queues to the recovery timer, which resets them and frees their mbufs.
 *
 * So a killed process costs the mbufs in these caches and those of the burst that it was in.
 */

/**
 * devx_eth_processes_open - allow secondary processes to attach to a port
 * @eth: a port at probe, in the primary process
 *
 * Sets @multi_process of @eth->sharing and allocates its @tables, unless EAL has no hugepages or
 * supports one process only. A failure leaves the port without secondary processes; it is logged.
 */
void devx_eth_processes_open(struct devx_eth *eth);

/**
 * devx_eth_processes_close - the port closes: detach all secondary processes
 *
 * Tells them, waits until they have detached, and frees what devx_eth_processes_open() allocated.
 * The caller must not hold eth->lock.
 */
void devx_eth_processes_close(struct devx_eth *eth);

/**
 * devx_eth_processes_leave - detach all secondary processes from a port without objects
 *
 * Each gets RTE_ETH_EVENT_INTR_RMV. A process that starts later may attach. The caller does not
 * hold eth->lock.
 */
void devx_eth_processes_leave(struct devx_eth *eth);

/**
 * devx_eth_processes_tell - send a message to all secondary processes of a port
 * @type: DEVX_ETH_MESSAGE_STOP, _START or _CLOSE
 *
 * Waits until all that are attached followed, at most one second; logs how many did not. Costs
 * nothing without any. The caller does not hold eth->lock: the MP thread of EAL may wait for it.
 */
void devx_eth_processes_tell(struct devx_eth *eth, enum devx_eth_message_type type);

/**
 * devx_eth_processes_answer - handle a message of a secondary process
 * @msg: ATTACH, DETACH or FOLLOWED; the function takes its descriptors
 * @reply: receives the reply
 *
 * Context: the MP thread of EAL.
 *
 * Return: whether @reply is to be sent. The caller then closes its first descriptor; the second one
 * is the pipe of this process.
 */
bool devx_eth_processes_answer(const struct rte_mp_msg *msg, struct rte_mp_msg *reply);

#endif
