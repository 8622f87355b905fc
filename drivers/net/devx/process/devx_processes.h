/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROCESSES_H
#define DEVX_ETH_PROCESSES_H

#include "process/devx_message.h"

/**
 * DOC: The secondary processes of the primary process
 *
 * The primary process answers ATTACH, and checks every 10 ms which secondary processes have ended.
 * When one has, the primary process
 *
 *     1. empties the mempool caches of its lcores, because one may be half changed,
 *     2. hands its queues to the recovery timer, which resets them and frees their mbufs.
 *
 * So if a process is killed, only the mbufs in these caches and in its current burst are lost.
 */

/**
 * devx_eth_processes_open - allow secondary processes to attach to a port
 * @eth: a port at probe, in the primary process
 *
 * Sets eth->sharing.multi_process and allocates eth->sharing.tables, unless EAL has no hugepages or
 * supports only one process. After any other failure, which is logged, no process can attach.
 */
void devx_eth_processes_open(struct devx_eth *eth);

/**
 * devx_eth_processes_close - detach all secondary processes from a port that closes
 *
 * Sends CLOSE, waits as devx_eth_processes_tell(), and frees the memory that
 * devx_eth_processes_open() allocated. The caller does not hold eth->lock.
 */
void devx_eth_processes_close(struct devx_eth *eth);

/**
 * devx_eth_processes_leave - detach all secondary processes from a port without objects
 *
 * Their applications get RTE_ETH_EVENT_INTR_RMV. Processes that start later can attach. The caller
 * does not hold eth->lock.
 */
void devx_eth_processes_leave(struct devx_eth *eth);

/**
 * devx_eth_processes_tell - send a message to all secondary processes of a port
 * @type: DEVX_ETH_MESSAGE_STOP, _START or _CLOSE
 *
 * Waits up to one second until all attached processes have followed, and logs how many have not.
 * Without attached processes, sends nothing. The caller does not hold eth->lock, because EAL's
 * thread for messages may wait for it.
 */
void devx_eth_processes_tell(struct devx_eth *eth, enum devx_eth_message_type type);

/**
 * devx_eth_processes_answer - handle a message of a secondary process
 * @msg: ATTACH, DETACH or FOLLOWED; the function keeps or closes its descriptors
 * @reply: receives the reply
 *
 * Context: EAL's thread for messages.
 *
 * Return: whether the caller must send @reply. The caller then closes the first descriptor of
 * @reply; the second one is the pipe of this process.
 */
bool devx_eth_processes_answer(const struct rte_mp_msg *msg, struct rte_mp_msg *reply);

#endif
