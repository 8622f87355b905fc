/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/devx_leftovers.h"

#include <rte_lcore.h>
#include <rte_mempool.h>

#include "process/devx_message.h"

/* Protects devx_eth.users. The holder takes no other lock. */
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;

void devx_eth_leftovers_add_queue(struct devx_eth *eth, struct devx_eth_user *user, uint32_t *owner)
{
	user->owner = owner;
	pthread_mutex_lock(&users_lock);
	user->next = eth->users;
	eth->users = user;
	pthread_mutex_unlock(&users_lock);
}

void devx_eth_leftovers_remove_queue(struct devx_eth *eth, struct devx_eth_user *user)
{
	struct devx_eth_user **at = &eth->users;

	pthread_mutex_lock(&users_lock);
	while (*at != user)
		at = &(*at)->next;
	*at = user->next;
	pthread_mutex_unlock(&users_lock);
}

static void release_queue(struct devx_eth_user *user)
{
	uint32_t old = __atomic_load_n(user->owner, __ATOMIC_ACQUIRE);

	user->ended = true;
	if (old == DEVX_ETH_STOPPED || old == DEVX_ETH_LOST || old == DEVX_ETH_LEFT) {
		/* the next start creates the queue again */
		devx_eth_user_release(user);
		return;
	}
	while ((old == DEVX_ETH_RUNNING || old == DEVX_ETH_FAILED) &&
	       !__atomic_compare_exchange_n(user->owner, &old, (uint32_t)DEVX_ETH_BROKEN, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
}

void devx_eth_leftovers_release_queues(struct devx_eth *eth, uint32_t process)
{
	pthread_mutex_lock(&users_lock);
	for (struct devx_eth_user *user = eth->users; user; user = user->next)
		if (__atomic_load_n(&user->process, __ATOMIC_ACQUIRE) == process)
			release_queue(user);
	pthread_mutex_unlock(&users_lock);
}

void devx_eth_leftovers_end_users(struct devx_eth *eth)
{
	pthread_mutex_lock(&users_lock);
	for (struct devx_eth_user *user = eth->users; user; user = user->next) {
		if (user->process)
			user->ended = true;
		devx_eth_user_release(user);
	}
	pthread_mutex_unlock(&users_lock);
}

/* struct caches - the lcores whose mempool caches to empty, and how many buffers these had */
struct caches {
	const uint64_t *lcores;
	unsigned int n;
};

static void empty_caches(struct rte_mempool *pool, void *arg)
{
	const unsigned int n = RTE_MIN(RTE_MAX_LCORE, 64u * DEVX_ETH_LCORE_WORDS);
	struct caches *caches = arg;

	for (unsigned int i = 0; pool->cache_size && i < n; i++) {
		if (!(caches->lcores[i / 64] >> i % 64 & 1))
			continue;
		caches->n += pool->local_cache[i].len;
		pool->local_cache[i].len = 0;
	}
}

unsigned int devx_eth_leftovers_empty_caches(const uint64_t *lcores)
{
	struct caches caches = { .lcores = lcores };

	rte_mempool_walk(empty_caches, &caches);
	return caches.n;
}
