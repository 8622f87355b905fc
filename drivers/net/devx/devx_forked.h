/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FORKED_H
#define DEVX_ETH_FORKED_H

#include <stdbool.h>
#include <sys/types.h>

/** devx_eth_fork_mark - note that this process is a child of @parent, which has the ports */
void devx_eth_fork_mark(pid_t parent);
/**
 * devx_eth_fork_refuse - check whether this process is a child of fork that has no ports
 *
 * Logs one line, at the first call in such a process.
 */
bool devx_eth_fork_refuse(void);

#endif
