/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/cores.h"

#include <stdio.h>

#include "cli/units.h"

enum { WHY_BYTES = 320, LIST_BYTES = 160, FEW_CPUS = 2, LCORE_BYTES = 16 };

static char why[WHY_BYTES];

/* Formats CPU numbers in ascending order: "0-3,8". */
static const char *format_cpus(const struct cores *c, char text[LIST_BYTES])
{
	unsigned used = 0;

	text[0] = 0;
	for (unsigned i = 0, last; i < c->n_cpus && used < LIST_BYTES; i = last + 1) {
		for (last = i; last + 1 < c->n_cpus && c->cpus[last + 1] == c->cpus[last] + 1;)
			last++;
		used += (unsigned)snprintf(text + used, LIST_BYTES - used, "%s%u", i ? "," : "",
					   c->cpus[i]);
		if (last > i && used < LIST_BYTES)
			used += (unsigned)snprintf(text + used, LIST_BYTES - used, "-%u",
						   c->cpus[last]);
	}
	return text;
}

static const struct cpu *find_cpu(const struct topology *t, unsigned id)
{
	for (unsigned i = 0; i < t->n_cpus; i++) {
		if (t->cpus[i].id == id)
			return &t->cpus[i];
	}
	return NULL;
}

static bool is_taken(const struct cores *c, const struct cpu *cpu)
{
	for (unsigned i = 0; i < c->n_workers; i++) {
		if (c->workers[i].cpu == cpu->id)
			return true;
	}
	return c->has_main_cpu && c->main_cpu == cpu->id;
}

/* Returns how many threads run on the physical core of @cpu. */
static unsigned count_threads(const struct cores *c, const struct topology *t,
			      const struct cpu *cpu)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_cpus; i++)
		n += t->cpus[i].core == cpu->core && is_taken(c, &t->cpus[i]);
	return n;
}

/*
 * Finds the best free CPU. Prefers, in this order: @node (-1: any node), the core with the fewest
 * of our threads, its first hyperthread, the lowest number. Returns NULL if no CPU is free.
 */
static const struct cpu *find_best(const struct cores *c, const struct topology *t, int node)
{
	const struct cpu *best = NULL;
	unsigned least = 0;

	for (unsigned i = 0; i < t->n_cpus; i++) {
		const struct cpu *cpu = &t->cpus[i];
		unsigned cost;

		if (!cpu->allowed || is_taken(c, cpu))
			continue;
		cost = (node >= 0 && cpu->node != node) * TOPOLOGY_MAX_CPUS +
		       count_threads(c, t, cpu) * 2 + (cpu->thread != 0);
		if (!best || cost < least) {
			best = cpu;
			least = cost;
		}
	}
	return best;
}

static void add_worker(struct cores *c, const struct cpu *cpu)
{
	c->workers[c->n_workers++] = (struct core_worker){ cpu->id, cpu->node };
}

static void choose_workers(struct cores *c, const struct topology *t, const struct cores_request *r,
			   unsigned n)
{
	if (n < c->n_cpus) {
		c->main_cpu = c->cpus[0];
		c->has_main_cpu = true;
	}
	for (unsigned i = 0; i < n; i++)
		add_worker(c, find_best(c, t, r->nodes[i % r->n_nodes]));
}

static const char *take_list(struct cores *c, const struct topology *t,
			     const struct cores_option *o)
{
	char valid[LIST_BYTES];
	const struct cpu *main_cpu;

	for (unsigned i = 0; i < o->n_cpus; i++) {
		const struct cpu *cpu = find_cpu(t, o->cpus[i]);

		if (!cpu || !(cpu->allowed || cpu->isolated)) {
			snprintf(why, sizeof(why), "%s %u%s (valid: %s)", cpu ? "CPU" : "no CPU",
				 o->cpus[i],
				 cpu ? " is not in the affinity mask of the program; see `taskset "
				       "-p`"
				     : "",
				 format_cpus(c, valid));
			return why;
		}
		add_worker(c, cpu);
	}
	main_cpu = find_best(c, t, -1);
	if (main_cpu) {
		c->main_cpu = main_cpu->id;
		c->has_main_cpu = true;
	}
	return NULL;
}

static unsigned get_lower(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

const char *cores_choose(struct cores *c, const struct topology *t,
			 const struct cores_request *request)
{
	const struct cores_option *o = request->option;
	char valid[LIST_BYTES];

	*c = (struct cores){ .n_nodes = t->n_nodes };
	for (unsigned i = 0; i < t->n_cpus; i++) {
		if (t->cpus[i].allowed)
			c->cpus[c->n_cpus++] = t->cpus[i].id;
	}
	if (o->n_cpus)
		return take_list(c, t, o);
	if (o->n_workers > c->n_cpus) {
		snprintf(why, sizeof(why),
			 "the program may use %u CPU%s: %s (valid: 1 to %u); give fewer workers",
			 c->n_cpus, units_get_plural(c->n_cpus), format_cpus(c, valid), c->n_cpus);
		return why;
	}
	if (o->n_workers) {
		choose_workers(c, t, request, o->n_workers);
	} else if (c->n_cpus > FEW_CPUS) {
		choose_workers(
			c, t, request,
			get_lower(get_lower(request->n_useful, c->n_cpus - 1), CORES_MAX_WORKERS));
	} else {
		c->is_loose = true;
		c->workers[c->n_workers++] = (struct core_worker){ c->cpus[0], -1 };
	}
	return NULL;
}

const char *cores_format_lcores(const struct cores *c)
{
	static char text[(CORES_MAX_WORKERS + 1 + TOPOLOGY_MAX_CPUS) * LCORE_BYTES];
	char any[TOPOLOGY_MAX_CPUS * LCORE_BYTES / 2] = "";
	unsigned used = 0;

	for (unsigned i = 0; i < c->n_cpus; i++)
		used += (unsigned)snprintf(any + used, sizeof(any) - used, "%s%u", i ? "," : "",
					   c->cpus[i]);
	if (c->is_loose) {
		snprintf(text, sizeof(text), "(0,1)@(%s)", any);
		return text;
	}
	if (c->has_main_cpu)
		used = (unsigned)snprintf(text, sizeof(text), "0@%u", c->main_cpu);
	else
		used = (unsigned)snprintf(text, sizeof(text), "0@(%s)", any);
	for (unsigned i = 0; i < c->n_workers; i++)
		used += (unsigned)snprintf(text + used, sizeof(text) - used, ",%u@%u", i + 1,
					   c->workers[i].cpu);
	return text;
}
