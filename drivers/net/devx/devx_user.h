/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_USER_H
#define DEVX_ETH_USER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct devx_eth_user - the secondary process that uses a queue; see burst/devx_user_burst.h
 * @process: its number; 0: none
 * @refused: number of another process that tried to use the queue; 0: none
 * @port: number of the port in ethdev
 * @reported: the primary process logged @refused
 * @ended: @process ended, and the recovery timer resets the queue
 * @owner: of the queue: enum devx_eth_owner
 * @next: another queue of the port
 */
struct devx_eth_user {
	uint32_t process, refused;
	uint16_t port;
	bool reported, ended;
	uint32_t *owner;
	struct devx_eth_user *next;
};

/**
 * struct devx_eth_users - the users of all queues that the application has set up
 * @lock: held by a thread that reads or changes the list. Such a thread takes no other lock
 */
struct devx_eth_users {
	pthread_mutex_t lock;
	struct devx_eth_user *first;
};

/** devx_eth_users_init - make an empty list; devx_eth_users_destroy() ends it */
void devx_eth_users_init(struct devx_eth_users *users);
/** devx_eth_users_destroy - end a list that no thread uses any more */
void devx_eth_users_destroy(struct devx_eth_users *users);
/** devx_eth_users_add - of a new queue, which has set @user->owner */
void devx_eth_users_add(struct devx_eth_users *users, struct devx_eth_user *user);
/** devx_eth_users_remove - before the queue is freed; @user is in the list */
void devx_eth_users_remove(struct devx_eth_users *users, struct devx_eth_user *user);

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
