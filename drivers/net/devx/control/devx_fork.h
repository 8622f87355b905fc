/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FORK_H
#define DEVX_ETH_FORK_H

#include <stdbool.h>

/**
 * DOC: Children of fork
 *
 * A child has the mappings of its parent: mbufs, rings, doorbell registers, and the descriptor of
 * the device. A burst or a close in the child would change queues that its parent uses. Therefore
 * the handlers of pthread_atfork() take the ports away from the child, before fork() returns there:
 *
 *     bursts, generator rings     move no packets
 *     operations of ethdev        -ENOTSUP
 *
 * One line says so, at the first call. The parent goes on, and a child that calls exec sees nothing
 * of this. The functions of the packet path do not check the process.
 */

/**
 * devx_eth_fork_refuse - tell whether this process is a child of fork that has no ports
 *
 * Logs one line, at the first call in such a process.
 */
bool devx_eth_fork_refuse(void);

#endif
