/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/devx_process_list.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_alarm.h>
#include <rte_lcore.h>

#include "devx_log.h"
#include "process/devx_leftovers.h"

enum { PERIOD_US = 10000 };

struct devx_eth_process_list devx_eth_process_list = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct devx_eth_process *devx_eth_process_find(const struct devx_eth_message *m)
{
	struct devx_eth_process *p;

	for (p = devx_eth_process_list.first; p; p = p->next)
		if (p->number == m->process)
			return p;
	if (m->process)
		return NULL; /* the process ended, or has its number from another primary process */
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->number = ++devx_eth_process_list.n_numbers;
	p->pipe = -1;
	p->next = devx_eth_process_list.first;
	memcpy(p->lcores, m->lcores, sizeof(p->lcores));
	devx_eth_process_list.first = p;
	return p;
}

/* Clears the lcores that this or another living process also has, because it uses their caches. */
static void keep_shared_lcores(struct devx_eth_process *ended)
{
	for (unsigned int i = 0; i < RTE_MIN(RTE_MAX_LCORE, 64u * DEVX_ETH_LCORE_WORDS); i++)
		if (rte_eal_lcore_role(i) != ROLE_OFF)
			ended->lcores[i / 64] &= ~(1ull << i % 64);
	for (const struct devx_eth_process *p = devx_eth_process_list.first; p; p = p->next)
		for (unsigned int i = 0; i < DEVX_ETH_LCORE_WORDS; i++)
			ended->lcores[i] &= ~p->lcores[i];
}

static bool is_attached(const struct devx_eth_process *p)
{
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++)
		if (p->attached[i])
			return true;
	return false;
}

/*
 * Empties caches only if the process was attached: if it had closed its ports, no cache is half
 * changed. Releases its queues in any case, because after a loss of the device a late burst of a
 * detached process may still have acquired one.
 */
static void bury_process(struct devx_eth_process *p)
{
	unsigned int n_cached = 0;

	if (is_attached(p)) {
		keep_shared_lcores(p);
		n_cached = devx_eth_leftovers_empty_caches(p->lcores);
	}
	for (uint16_t i = 0; i < RTE_MAX_ETHPORTS; i++) {
		struct devx_eth *eth = devx_eth_process_list.ports[i];

		if (!eth)
			continue;
		if (p->attached[i])
			devx_eth_log(eth, NOTICE,
				     "secondary process %u ended; its mempool caches had %u "
				     "buffers, which are lost",
				     p->number, n_cached);
		devx_eth_leftovers_release_queues(eth, p->number);
	}
	close(p->pipe);
	free(p);
}

void devx_eth_process_bury_ended(void)
{
	struct devx_eth_process **at = &devx_eth_process_list.first, *p;

	while ((p = *at)) {
		if (!devx_eth_message_has_ended(p->pipe)) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		bury_process(p);
	}
}

/* Runs periodically on EAL's interrupt thread while there are secondary processes. */
static void watch_processes(void *arg)
{
	pthread_mutex_lock(&devx_eth_process_list.lock);
	devx_eth_process_bury_ended();
	devx_eth_process_list.watching =
		devx_eth_process_list.first && !rte_eal_alarm_set(PERIOD_US, watch_processes, arg);
	pthread_mutex_unlock(&devx_eth_process_list.lock);
}

void devx_eth_process_watch(void)
{
	if (!devx_eth_process_list.watching)
		devx_eth_process_list.watching =
			!rte_eal_alarm_set(PERIOD_US, watch_processes, NULL);
}
