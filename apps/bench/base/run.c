/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/run.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/messages.h"

enum { LINE_BYTES = 256 };

/* Without a terminal, prints at most one progress line in this time, so that a log stays short. */
static const uint64_t quiet_ns = 5ull * 1000 * 1000 * 1000;

bool bench_wants(const struct bench_run *run, const char *path)
{
	for (unsigned i = 0; i < run->n_filters; i++)
		if (!fnmatch(run->filter[i], path, FNM_LEADING_DIR))
			return true;
	return !run->n_filters;
}

void bench_progress(const struct bench_run *run, const char *format, ...)
{
	static uint64_t last_ns;
	const uint64_t now_ns = bench_clock_ns();
	char line[LINE_BYTES];
	va_list args;

	if (run->quiet || (!isatty(STDERR_FILENO) && last_ns && now_ns - last_ns < quiet_ns))
		return;
	last_ns = now_ns;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	report_progress_line(stderr, "%s", line);
}
