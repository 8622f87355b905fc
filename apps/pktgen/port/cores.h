/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CORES_H
#define PKTGEN_CORES_H

#include "model/cores_option.h"
#include "port/topology.h"

/**
 * DOC: Cores
 *
 * EAL binds its threads when it starts, before any port exists. Therefore the CPUs are chosen
 * first, by the NUMA nodes that the kernel reports for the devices (cores_choose()). After the
 * ports are open, each queue gets a worker (placement.h).
 */

/** struct core_worker - a thread that sends and receives. @node: NUMA node; -1: unknown */
struct core_worker {
	uint16_t cpu;
	int16_t node;
};

/**
 * struct cores - the CPUs of the threads
 * @workers: bound to one CPU each, unless @is_loose
 * @is_loose: with so few CPUs, all threads may run on each CPU of @cpus
 * @has_main_cpu: the controlling thread has @main_cpu; false: it may run on each CPU of @cpus
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
 * Workers take turns at the NUMA nodes of the ports. A CPU on the node comes before others, and the
 * first hyperthread of a free core before its siblings. The controlling thread gets a CPU of its
 * own if there is one left: it sleeps most of the time.
 *
 * Return: NULL; or the reason why the CPUs of --cores cannot be used, valid until the next call
 */
const char *cores_choose(struct cores *c, const struct topology *t,
			 const struct cores_request *request);

/**
 * cores_format_lcores - format the argument of EAL's option --lcores: "0@0,1@2,2@3"
 *
 * Lcore 0 controls, and lcore i is worker i - 1.
 *
 * Return: the text, in a static buffer
 */
const char *cores_format_lcores(const struct cores *c);

#endif
