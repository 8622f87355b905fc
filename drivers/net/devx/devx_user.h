/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_USER_H
#define DEVX_ETH_USER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct devx_eth_user - the secondary process that uses a queue; see burst/devx_user_burst.h
 * @process: its number; 0: none
 * @refused: number of another process that tried to use the queue; 0: none
 * @port: number of the port in ethdev
 * @reported: the primary process logged @refused
 * @ended: @process ended, and the recovery timer resets the queue
 * @owner: enum devx_eth_owner of the queue
 * @next: another queue of the port; see process/devx_leftovers.h
 */
struct devx_eth_user {
	uint32_t process, refused;
	uint16_t port;
	bool reported, ended;
	uint32_t *owner;
	struct devx_eth_user *next;
};

/** devx_eth_user_release - after the reset of a queue whose user ended: others may take it */
static inline void devx_eth_user_release(struct devx_eth_user *user)
{
	if (!user->ended)
		return;
	user->ended = user->reported = false;
	user->refused = 0;
	__atomic_store_n(&user->process, 0, __ATOMIC_RELEASE);
}

#endif
