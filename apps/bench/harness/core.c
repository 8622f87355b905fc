/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/core.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/gauge.h"

enum { N_MARKS = 1001, N_ADDS = 64, N_LOOPS = 128, N_TRIES = 3 };

#ifdef __x86_64__
#define ADD "add %1, %0"
#else
#define ADD "add %0, %0, %1"
#endif

static int compare_cycles(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t bench_core_measure_marks(void)
{
	static uint64_t cycles[N_MARKS];

	for (int i = 0; i < N_MARKS; i++)
		cycles[i] = bench_gauge_end(BENCH_TSC, bench_gauge_begin(BENCH_TSC));
	qsort(cycles, N_MARKS, sizeof(cycles[0]), compare_cycles);
	return cycles[N_MARKS / 2];
}

/* Adds registers, because some cores execute the addition of a constant in no time. */
static uint64_t time_additions(void)
{
	uint64_t sum = 0, one = 1, begin, cycles;

	begin = bench_gauge_begin(BENCH_TSC);
	for (int i = 0; i < N_LOOPS; i++)
		__asm__ volatile(".rept %c2\n\t" ADD "\n\t.endr"
				 : "+r"(sum)
				 : "r"(one), "i"(N_ADDS)
				 : "cc");
	cycles = bench_gauge_end(BENCH_TSC, begin);
	return cycles;
}

double bench_core_per_tsc(void)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < N_TRIES; i++) {
		const uint64_t cycles = time_additions();

		if (cycles < best)
			best = cycles;
	}
	return (double)N_ADDS * N_LOOPS / (double)best;
}

/* The columns of a CPU's line in /proc/stat: user nice system idle iowait irq softirq steal. */
uint64_t bench_core_read_steal(int cpu)
{
	static char text[1 << 16];
	unsigned long long steal = 0;
	char name[16];
	const char *line;
	ssize_t n;
	int fd;

	fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	snprintf(name, sizeof(name), "\ncpu%d ", cpu);
	line = strstr(text, name);
	if (line)
		sscanf(line + strlen(name), "%*u %*u %*u %*u %*u %*u %*u %llu", &steal);
	return steal;
}

static long count_switches(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

void bench_core_begin(struct bench_core_mark *mark, int cpu)
{
	mark->cpu = cpu;
	mark->steal = bench_core_read_steal(cpu);
	mark->n_switches = count_switches();
}

bool bench_core_was_taken(const struct bench_core_mark *mark)
{
	return count_switches() != mark->n_switches ||
	       bench_core_read_steal(mark->cpu) != mark->steal;
}
