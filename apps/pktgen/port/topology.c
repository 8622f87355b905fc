/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/topology.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hwloc.h>

static void add_cpu(struct topology *t, hwloc_topology_t topology, hwloc_obj_t pu)
{
	const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
	const int node = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : 0;
	struct cpu *cpu = &t->cpus[t->n_cpus];

	if (t->n_cpus == TOPOLOGY_MAX_CPUS || pu->os_index >= CPU_SETSIZE)
		return;
	t->n_cpus++;
	*cpu = (struct cpu){
		.id = (uint16_t)pu->os_index,
		.core = (uint16_t)(core ? core->logical_index : pu->logical_index),
		.node = (int16_t)(node < 0 ? 0 : node),
		.allowed = true,
	};
	for (const struct cpu *other = t->cpus; other < cpu; other++)
		cpu->thread += other->core == cpu->core;
}

/* Marks the CPUs that the process may use, and those that the kernel isolates. */
static void mark_cpus(struct topology *t)
{
	hwloc_bitmap_t isolated = hwloc_bitmap_alloc();
	FILE *f = fopen("/sys/devices/system/cpu/isolated", "r");
	char text[BUFSIZ] = "";
	cpu_set_t mask;

	if (f && fgets(text, sizeof(text), f) && isolated)
		hwloc_bitmap_list_sscanf(isolated, text);
	if (f)
		fclose(f);
	if (sched_getaffinity(0, sizeof(mask), &mask)) {
		CPU_ZERO(&mask);
		CPU_SET(0, &mask);
	}
	for (unsigned i = 0; i < t->n_cpus; i++) {
		struct cpu *cpu = &t->cpus[i];

		cpu->allowed = CPU_ISSET(cpu->id, &mask);
		cpu->isolated = isolated && hwloc_bitmap_isset(isolated, cpu->id);
	}
	hwloc_bitmap_free(isolated);
}

static int compare_cpus(const void *a, const void *b)
{
	return ((const struct cpu *)a)->id - ((const struct cpu *)b)->id;
}

int topology_read(struct topology *t, const char *synthetic)
{
	hwloc_topology_t topology;
	hwloc_obj_t pu = NULL;

	*t = (struct topology){ 0 };
	if (hwloc_topology_init(&topology))
		return -1;
	if ((synthetic && hwloc_topology_set_synthetic(topology, synthetic)) ||
	    hwloc_topology_load(topology)) {
		hwloc_topology_destroy(topology);
		return -1;
	}
	while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)))
		add_cpu(t, topology, pu);
	t->n_nodes = (unsigned)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	hwloc_topology_destroy(topology);
	qsort(t->cpus, t->n_cpus, sizeof(t->cpus[0]), compare_cpus);
	if (!synthetic)
		mark_cpus(t);
	return t->n_cpus ? 0 : -1;
}
