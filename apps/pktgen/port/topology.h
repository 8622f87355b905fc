/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TOPOLOGY_H
#define PKTGEN_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPOLOGY_MAX_CPUS = 1024 };

/**
 * struct cpu - a CPU as the kernel counts them: one hyperthread
 * @node: its NUMA node
 * @core: its physical core
 * @thread: 0: the first hyperthread of its core
 * @allowed: in the affinity mask of the process
 * @isolated: the kernel option isolcpus keeps other programs off it. Such a CPU is not in the
 *   affinity mask of a process that did not ask for it
 */
struct cpu {
	uint16_t id, core;
	int16_t node;
	uint8_t thread;
	bool allowed, isolated;
};

struct topology {
	struct cpu cpus[TOPOLOGY_MAX_CPUS]; /* in the order of their numbers */
	unsigned n_cpus, n_nodes;
};

/**
 * topology_read - read the CPUs with hwloc
 * @t: receives the CPUs
 * @synthetic: a machine in hwloc's notation ("node:2 core:4 pu:2"), with all CPUs allowed; or NULL
 *   for this machine
 *
 * Return: 0, or -1 if hwloc cannot read the machine
 */
int topology_read(struct topology *t, const char *synthetic);

#endif
