/* SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

#include <rte_common.h>

#include "devx_forked.h"
#include "devx_log.h"

static pid_t parent; /* process that has the ports; 0: this process is not its child */

void devx_eth_fork_mark(pid_t pid)
{
	parent = pid;
}

bool devx_eth_fork_refuse(void)
{
	static bool told;

	if (!parent)
		return false;
	if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
		rte_log(RTE_LOG_ERR, devx_eth_logtype,
			"net_devx: process %d is a child of fork and has no ports: its bursts move "
			"no packets (valid: ports of process %d); fork before rte_eal_init(), or "
			"start a secondary process\n",
			getpid(), parent);
	return true;
}
