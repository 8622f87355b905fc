/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/life.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_malloc.h>

#include "base/clock.h"
#include "eal/eal_log.h"

/* State of a life cycle of a port (life.h) in progress. */
struct progress {
	struct bench_life *life;
	const char *call; /* the call that failed */
	uint16_t id;
	bool probed;
};

static void read_counters(const struct bench_life *life, struct devx_emu_counters *c)
{
	memset(c, 0, sizeof(*c));
	if (life->lab->emu && life->driver->emu_port >= 0)
		life->lab->emu->counters((unsigned int)life->driver->emu_port, c, sizeof(*c));
}

static int64_t count_eal_bytes(void)
{
	struct rte_malloc_socket_stats stats;
	int64_t n = 0;

	for (unsigned int i = 0; i < rte_socket_count(); i++)
		if (!rte_malloc_get_socket_stats(rte_socket_id_by_idx(i), &stats))
			n += (int64_t)stats.heap_allocsz_bytes;
	return n;
}

/* ---- the stages ---------------------------------------------------------------------------- */

static int probe_port(struct progress *p)
{
	const struct bench_driver *d = p->life->driver;
	struct rte_eth_dev_info info;
	int rc;

	p->call = "probe";
	rc = rte_eal_hotplug_add(d->bus, d->device, d->devargs);
	if (rc)
		return rc;
	p->probed = true;
	p->call = "no driver accepts the device";
	rc = rte_eth_dev_get_port_by_name(d->device, &p->id);
	if (rc)
		return rc;
	p->call = "rte_eth_dev_info_get";
	rc = rte_eth_dev_info_get(p->id, &info);
	if (!rc)
		snprintf(p->life->name, sizeof(p->life->name), "%s", info.driver_name);
	return rc;
}

static int configure_port(struct progress *p)
{
	const struct bench_life *life = p->life;
	const struct rte_eth_conf conf = {
		.rxmode = { .mq_mode = life->n_rx > 1 ? RTE_ETH_MQ_RX_RSS : RTE_ETH_MQ_RX_NONE },
	};
	int rc;

	p->call = "rte_eth_dev_configure";
	rc = rte_eth_dev_configure(p->id, life->n_rx, life->n_tx, &conf);
	p->call = rc ? p->call : "rte_eth_rx_queue_setup";
	for (uint16_t i = 0; !rc && i < life->n_rx; i++)
		rc = rte_eth_rx_queue_setup(p->id, i, BENCH_LIFE_RING, SOCKET_ID_ANY, NULL,
					    life->pool);
	p->call = rc ? p->call : "rte_eth_tx_queue_setup";
	for (uint16_t i = 0; !rc && i < life->n_tx; i++)
		rc = rte_eth_tx_queue_setup(p->id, i, BENCH_LIFE_RING, SOCKET_ID_ANY, NULL);
	return rc;
}

static int start_ethdev(struct progress *p)
{
	p->call = "rte_eth_dev_start";
	return rte_eth_dev_start(p->id);
}

static int stop_port(struct progress *p)
{
	p->call = "rte_eth_dev_stop";
	return rte_eth_dev_stop(p->id);
}

/* Removes the device, because a PCI driver keeps its context until then. */
static int close_port(struct progress *p)
{
	const struct bench_driver *d = p->life->driver;

	p->call = "remove";
	p->probed = false;
	return rte_eal_hotplug_remove(d->bus, d->device);
}

static int measure_stage(struct progress *p, enum bench_stage stage)
{
	static int (*const run[BENCH_N_STAGES])(struct progress *) = {
		[BENCH_PROBE] = probe_port,   [BENCH_CONFIGURE] = configure_port,
		[BENCH_START] = start_ethdev, [BENCH_STOP] = stop_port,
		[BENCH_CLOSE] = close_port,
	};
	struct bench_cost *cost = &p->life->cost[stage];
	struct devx_emu_counters before, after;
	uint64_t begin;
	int rc;

	read_counters(p->life, &before);
	begin = bench_clock_ns();
	rc = run[stage](p);
	cost->ns = bench_clock_ns() - begin;
	read_counters(p->life, &after);
	cost->commands = after.commands - before.commands;
	cost->ioctls = after.ioctls - before.ioctls;
	return rc;
}

int bench_life_run(struct bench_life *life, char *why, size_t why_bytes)
{
	struct progress p = { .life = life };
	int64_t eal_bytes = 0;
	int rc = 0;

	eal_log_clear();
	for (unsigned int stage = 0; !rc && stage < BENCH_N_STAGES; stage++) {
		if (stage == BENCH_CONFIGURE)
			eal_bytes = count_eal_bytes();
		rc = measure_stage(&p, stage);
		if (stage == BENCH_START)
			life->eal_bytes = count_eal_bytes() - eal_bytes;
	}
	if (!rc)
		return 0;
	snprintf(why, why_bytes, "%s: %s%s%s", p.call, strerror(-rc),
		 *eal_log_read_error("") ? ": " : "", eal_log_read_error(""));
	if (p.probed)
		close_port(&p);
	return rc;
}
