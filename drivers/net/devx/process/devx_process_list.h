/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROCESS_LIST_H
#define DEVX_ETH_PROCESS_LIST_H

#include "process/devx_message.h"

/** DOC: The list of secondary processes, and the cleanup when one ends */

/**
 * struct devx_eth_process - a secondary process that attached to a port
 * @number: from 1 on
 * @pipe: hangs up when the process ends
 * @attached: for each port, whether the process is attached to it
 * @followed: for each port, number of the last message that the process followed, or that was sent
 *            before it attached
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
 * @lock: protects all fields. Its holder must not take devx_eth.lock
 * @n_numbers: how many numbers were assigned
 * @watching: an alarm looks for ended processes
 * @ports: ports between devx_eth_processes_open() and _close(), by their number in ethdev
 */
struct devx_eth_process_list {
	pthread_mutex_t lock;
	struct devx_eth_process *first;
	uint32_t n_numbers;
	bool watching;
	struct devx_eth *ports[RTE_MAX_ETHPORTS];
};
extern struct devx_eth_process_list devx_eth_process_list;

/* The caller of these functions holds the lock. */

/**
 * devx_eth_process_find - find the sender of a message; add it if it has no number yet
 *
 * Return: the process, or NULL if out of memory, or if no living process has its number
 */
struct devx_eth_process *devx_eth_process_find(const struct devx_eth_message *m);
/** devx_eth_process_bury_ended - clean up after each process that ended since the last call */
void devx_eth_process_bury_ended(void);
/** devx_eth_process_watch - look for ended processes periodically, as long as any process exists */
void devx_eth_process_watch(void);

#endif
