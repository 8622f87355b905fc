/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_SHARING_H
#define DEVX_ETH_PORT_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_mr_table.h"

struct devx_eth_uar_page;

/**
 * struct devx_eth_sharing - how a port works with secondary processes
 * @multi_process: secondary processes can attach to the port
 * @stopping: the last message about start or stop was STOP
 * @n_told: number of messages to all secondary processes, including those that nobody received
 * @export_fd: descriptor of the device for secondary processes; -1 until the first one attaches
 * @tables: memory of EAL for the tables of the registered memory
 * @uar_pages: pages of the send queues, if @multi_process; see devx_uar_pages.h
 */
struct devx_eth_sharing {
	bool multi_process, stopping;
	uint32_t n_told;
	int export_fd;
	struct devx_eth_table_room tables;
	struct devx_eth_uar_page *uar_pages;
};

/**
 * struct devx_eth_user - the secondary process that uses a queue; see burst/devx_user_burst.h
 * @process: number of the process; 0: none
 * @refused: number of another process that tried to use the queue; 0: none
 * @port: number of the port in ethdev
 * @reported: the primary process logged @refused
 * @ended: @process ended; the recovery timer resets the queue before another process may use it
 * @owner: enum devx_eth_owner of the queue
 * @next: in the list devx_eth.users; see process/devx_leftovers.h
 */
struct devx_eth_user {
	uint32_t process, refused;
	uint16_t port;
	bool reported, ended;
	uint32_t *owner;
	struct devx_eth_user *next;
};

/** devx_eth_user_release - after a reset: if the user of the queue ended, let others use it */
static inline void devx_eth_user_release(struct devx_eth_user *user)
{
	if (!user->ended)
		return;
	user->ended = user->reported = false;
	user->refused = 0;
	__atomic_store_n(&user->process, 0, __ATOMIC_RELEASE);
}

#endif
