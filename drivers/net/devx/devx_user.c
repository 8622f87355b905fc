/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_user.h"

void devx_eth_users_init(struct devx_eth_users *users)
{
	pthread_mutex_init(&users->lock, NULL);
}

void devx_eth_users_destroy(struct devx_eth_users *users)
{
	pthread_mutex_destroy(&users->lock);
}

void devx_eth_users_add(struct devx_eth_users *users, struct devx_eth_user *user)
{
	pthread_mutex_lock(&users->lock);
	user->next = users->first;
	users->first = user;
	pthread_mutex_unlock(&users->lock);
}

void devx_eth_users_remove(struct devx_eth_users *users, struct devx_eth_user *user)
{
	struct devx_eth_user **at;

	pthread_mutex_lock(&users->lock);
	for (at = &users->first; *at != user; at = &(*at)->next)
		;
	*at = user->next;
	pthread_mutex_unlock(&users->lock);
}
