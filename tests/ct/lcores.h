/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LCORES_H
#define LCORES_H

#include <sched.h>
#include <stdio.h>

#include <rte_config.h>

/**
 * list_lcores - make the argument --lcores of EAL: one lcore on all CPUs that this process may use
 *
 * Otherwise EAL confines the main thread, and all threads that it starts, to one CPU.
 */
static inline char *list_lcores(void)
{
	static char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), "--lcores=0@(");
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < RTE_MAX_LCORE; i++)
		if (CPU_ISSET(i, &set))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%d,", i);
	text[n - 1] = ')';
	return text;
}

#endif
