/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROCESS_LIST_H
#define DEVX_ETH_PROCESS_LIST_H

#include "process/devx_message.h"

/** DOC: The list of the secondary processes, and what the primary process does when one ends */

/**
 * struct devx_eth_process - a secondary process that attached to a port
 * @number: its number, from 1 on
 * @pipe: hangs up when it ends
 * @attached: the ports that it is attached to
 * @followed: number of the last message to all processes of a port that it followed, or that came
 *            before it attached
 * @lcores: its lcores
 */
struct devx_eth_process {
	struct devx_eth_process *next;
	uint32_t number;
	int pipe;
	bool attached[RTE_MAX_ETHPORTS];
	uint32_t followed[RTE_MAX_ETHPORTS];
	uint64_t lcores[DEVX_ETH_LCORE_WORDS];
};

/**
 * struct devx_eth_process_list - the secondary processes of this process
 * @lock: held by a thread that uses a field. No thread that holds it takes devx_eth.lock
 * @ports: between devx_eth_processes_open() and devx_eth_processes_close(), by number in ethdev
 */
struct devx_eth_process_list {
	pthread_mutex_t lock;
	struct devx_eth_process *first;
	uint32_t n_numbers;
	bool watching;
	struct devx_eth *ports[RTE_MAX_ETHPORTS];
};
extern struct devx_eth_process_list devx_eth_process_list;

/* The caller of these holds the lock. */

/**
 * devx_eth_process_find - find the process of a message, or add one that has no number yet
 *
 * Return: the process, or NULL without memory, or if the process or its primary process ended
 */
struct devx_eth_process *devx_eth_process_find(const struct devx_eth_message *m);
/** devx_eth_process_bury_ended - handle the end of each process that ended since the last call */
void devx_eth_process_bury_ended(void);
/** devx_eth_process_watch - from now on look for ended processes, as long as there are any */
void devx_eth_process_watch(void);

#endif
