/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/huge.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/messages.h"

#define TOLD "DEVX_BENCH_TOLD_PAGES"

enum { MEMORY_MIB = 128, HUGE_PAGE_MIB = 2 };

unsigned bench_huge_memory(const struct bench_run *run)
{
	return run->memory_mib ? run->memory_mib : MEMORY_MIB;
}

bool bench_huge_is_free(const struct bench_run *run)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long n = 0, kb = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		sscanf(line, "HugePages_Free: %lu", &n);
		sscanf(line, "Hugepagesize: %lu", &kb);
	}
	if (f)
		fclose(f);
	return kb == HUGE_PAGE_MIB * 1024 && n * HUGE_PAGE_MIB >= bench_huge_memory(run);
}

void bench_huge_tell(const struct bench_run *run)
{
	if (run->no_huge || run->quiet || getenv(TOLD) || bench_huge_is_free(run))
		return;
	setenv(TOLD, "1", 1);
	report_warning("memory: less than %u MiB of huge pages are free; using pages of 4 KiB, "
		       "whose TLB misses add cycles",
		       bench_huge_memory(run));
}
