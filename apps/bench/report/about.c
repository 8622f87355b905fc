/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/about.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/library.h"

/* Reads the line "model name" of /proc/cpuinfo. */
static void read_cpu(char *name, size_t bytes)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256];

	name[0] = '\0';
	while (f && !name[0] && fgets(line, sizeof(line), f)) {
		const char *value = strchr(line, ':');

		if (value && !strncmp(line, "model name", 10))
			snprintf(name, bytes, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
	}
	if (f)
		fclose(f);
}

void report_about_fill(struct report_about *about, const char *dpdk)
{
	const time_t now = time(NULL);
	struct utsname u = { 0 };
	struct tm utc;

	*about = (struct report_about){ 0 };
	snprintf(about->program, sizeof(about->program), "%s", BENCH_VERSION);
	snprintf(about->dpdk, sizeof(about->dpdk), "%s", dpdk);
	library_describe("librte_net_devx.so", about->net_devx, sizeof(about->net_devx));
	read_cpu(about->cpu, sizeof(about->cpu));
	uname(&u);
	snprintf(about->kernel, sizeof(about->kernel), "%.20s %.70s", u.sysname, u.release);
	gmtime_r(&now, &utc);
	strftime(about->time, sizeof(about->time), "%Y-%m-%dT%H:%M:%SZ", &utc);
}
