/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CORES_H
#define PKTGEN_CORES_H

#include "model/cores_option.h"
#include "port/topology.h"

/**
 * DOC: Cores
 *
 * EAL binds its threads to CPUs when it starts, before any port exists. So cores_choose() chooses
 * the CPUs first, by the NUMA nodes that the kernel reports for the devices. Once the ports are
 * open, placement_make() assigns each queue to a worker.
 */

/** struct core_worker - a thread that sends and receives. @node: NUMA node; -1: unknown */
struct core_worker {
	uint16_t cpu;
	int16_t node;
};

/**
 * struct cores - the CPUs of the threads
 * @workers: bound to one CPU each, unless @is_loose
 * @is_loose: the threads are not bound: each may run on every CPU of @cpus
 * @has_main_cpu: the controlling thread runs on @main_cpu; false: on any CPU of @cpus
 * @cpus: the CPUs in the affinity mask
 * @n_nodes: number of NUMA nodes of the machine
 */
struct cores {
	struct core_worker workers[CORES_MAX_WORKERS];
	unsigned n_workers, n_nodes;
	bool is_loose, has_main_cpu;
	uint16_t main_cpu;
	uint16_t cpus[TOPOLOGY_MAX_CPUS];
	unsigned n_cpus;
};

/**
 * struct cores_request - what the workers are for
 * @option: --cores
 * @nodes, @n_nodes: NUMA node of each port; -1: unknown. At least one
 * @n_useful: number of workers that --cores auto may use
 */
struct cores_request {
	const struct cores_option *option;
	const int *nodes;
	unsigned n_nodes, n_useful;
};

/**
 * cores_choose - choose the CPUs of the workers and of the controlling thread
 *
 * Spreads the workers over the NUMA nodes of the ports. Prefers a CPU on the node, and the first
 * hyperthread of an unused core to its siblings. The controlling thread sleeps most of the time: it
 * gets a CPU of its own only if one is left.
 *
 * Return: NULL; or the reason why --cores cannot be satisfied, valid until the next call
 */
const char *cores_choose(struct cores *c, const struct topology *t,
			 const struct cores_request *request);

/**
 * cores_format_lcores - format the argument of EAL's option --lcores: "0@0,1@2,2@3"
 *
 * Lcore 0 is the controlling thread, lcore i is worker i - 1. The text is in a static buffer.
 */
const char *cores_format_lcores(const struct cores *c);

#endif
