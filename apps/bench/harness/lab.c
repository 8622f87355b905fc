/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/lab.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "base/huge.h"
#include "eal/eal_log.h"

enum { OWN_ARGS = 9, MAX_ARGS = OWN_ARGS + BENCH_MAX_EAL };

/* Measures on the last CPU, because the first one serves interrupts on many machines. */
static bool choose_cpus(struct bench_lab *lab)
{
	lab->cpu = lab->other_cpu = -1;
	if (sched_getaffinity(0, sizeof(lab->cpus), &lab->cpus))
		return false;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &lab->cpus)) {
			lab->other_cpu = lab->cpu;
			lab->cpu = i;
		}
	return lab->cpu >= 0;
}

static int start_eal(const struct bench_lab *lab, const struct bench_run *run)
{
	char memory[16], lcore[16];
	/* allows no PCI device, so that EAL probes none by itself */
	char *args[MAX_ARGS + 1] = { (char *)"devx-bench", (char *)"--no-telemetry", (char *)"-a",
				     (char *)"ffff:ff:1f.7", (char *)"--iova-mode=va" };
	int n = 5;

	snprintf(memory, sizeof(memory), "-m%u", bench_huge_memory(run));
	snprintf(lcore, sizeof(lcore), "--lcores=0@%d", lab->cpu);
	args[n++] = memory;
	args[n++] = lcore;
	if (lab->huge) {
		args[n++] = (char *)"--in-memory";
	} else {
		args[n++] = (char *)"--no-huge";
		args[n++] = (char *)"--no-shconf";
	}
	for (int i = 0; i < run->n_eal && n < MAX_ARGS; i++)
		args[n++] = run->eal[i];
	return rte_eal_init(n, args);
}

int bench_lab_open(struct bench_lab *lab, const struct bench_run *run, char *why, size_t why_bytes)
{
	*lab = (struct bench_lab){ .emu = devx_emu_ctl_find(),
				   .huge = !run->no_huge && bench_huge_is_free(run) };
	if (!run->verbose)
		eal_log_keep();
	if (!choose_cpus(lab)) {
		snprintf(why, why_bytes, "CPUs: sched_getaffinity: %s", strerror(errno));
		return -ENODEV;
	}
	/* EAL refuses a plugin below a directory that everybody may write to. It finds an installed
	 * plugin by itself. */
	if (!dlopen("librte_net_devx.so", RTLD_NOW | RTLD_GLOBAL))
		snprintf(lab->why_no_devx, sizeof(lab->why_no_devx), "%s", dlerror());
	if (start_eal(lab, run) < 0) {
		snprintf(why, why_bytes, "EAL: does not start: %s",
			 eal_log_read_last("no reason in its log"));
		return -ENODEV;
	}
	return 0;
}
