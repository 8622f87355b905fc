/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/snapshot.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

/* @lock keeps EAL's thread from closing a port while another thread reads it. */
static struct {
	pthread_mutex_t lock;
	bool ended[RTE_MAX_ETHPORTS];
} ports = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int end_port(uint16_t port, enum rte_eth_event_type type, void *arg, void *result)
{
	(void)type;
	(void)arg;
	(void)result;
	pthread_mutex_lock(&ports.lock);
	ports.ended[port] = true;
	pthread_mutex_unlock(&ports.lock);
	return 0;
}

void snapshot_begin(void)
{
	rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV, end_port, NULL);
}

static uint64_t read_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Other drivers may not support statistics in a secondary process. */
static bool is_net_devx(uint16_t port)
{
	struct rte_eth_dev_info info;

	return !rte_eth_dev_info_get(port, &info) && info.driver_name &&
	       !strcmp(info.driver_name, "net_devx");
}

static void read_ports(struct snapshot *s)
{
	uint16_t i;

	s->n_ports = 0;
	RTE_ETH_FOREACH_DEV (i) {
		struct snapshot_port *p = &s->ports[s->n_ports];

		if (!ports.ended[i] && is_net_devx(i) &&
		    !rte_eth_dev_get_name_by_port(i, p->name) && !rte_eth_stats_get(i, &p->stats))
			s->n_ports++;
	}
}

bool snapshot_take(struct snapshot *s, const struct published *zone)
{
	s->ns = read_clock_ns();
	if (!publish_read(zone, &s->run))
		return false;
	pthread_mutex_lock(&ports.lock);
	read_ports(s);
	pthread_mutex_unlock(&ports.lock);
	return true;
}

void snapshot_end(void)
{
	uint16_t i;

	RTE_ETH_FOREACH_DEV (i)
		rte_eth_dev_close(i);
}
