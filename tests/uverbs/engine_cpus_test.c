/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verbs_rig.h"

/* CPUs of the engine, the thread that plays the adapter. */

/* Reads the CPUs of the thread of this process that is called @name. Return: 0 or -ESRCH */
static int find_cpus(const char *name, cpu_set_t *cpus)
{
	DIR *tasks = opendir("/proc/self/task");
	int rc = -ESRCH;

	for (struct dirent *d; (d = readdir(tasks));) {
		char path[64], comm[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%.16s/comm", d->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(comm, sizeof(comm), f) && !strncmp(comm, name, strlen(name)))
			rc = sched_getaffinity(atoi(d->d_name), sizeof(*cpus), cpus);
		fclose(f);
	}
	closedir(tasks);
	return rc;
}

/* Opens the device on one CPU, as DPDK does. Return: exit status: 0: the engine may use @all */
static int open_on_one_cpu(const cpu_set_t *all)
{
	cpu_set_t one, engine;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one) || !verbs_rig_open(true))
		return 1;
	if (find_cpus("devx-emu", &engine))
		return 2;
	return CPU_EQUAL(all, &engine) ? 0 : 3;
}

TEST(engine_cpus, engine_may_use_every_cpu_that_the_process_started_with)
{
	cpu_set_t all;
	pid_t child;
	int status;

	NEEDS_EMU("which has an engine");
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(all), &all));
	if (CPU_COUNT(&all) < 2)
		SKIP("one CPU is the whole machine");
	if (verbs_rig_read_counters().ioctls)
		SKIP("the process has an engine already; test uverbs_engine runs this test alone");
	child = fork(); /* the first open of a process starts its engine */
	if (!child)
		_exit(open_on_one_cpu(&all));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}
