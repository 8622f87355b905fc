/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/messages.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/units.h"

static bool line_is_open; /* a progress line without its end, on a terminal */

void report_line(const char *fmt, ...)
{
	va_list ap;

	end_progress_line();
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

enum pktgen_exit report_error(enum pktgen_exit e, const char *fmt, ...)
{
	va_list ap;

	end_progress_line();
	fputs("devx-pktgen: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return e;
}

void report_progress(const char *stage, uint64_t ms, uint64_t sent, uint64_t arrived, uint64_t step,
		     uint64_t step_ms)
{
	const bool tty = isatty(STDOUT_FILENO);

	printf("%s%6.1f s %s: %s sent, %s received, now %spps%s", tty ? "\r\033[K" : "",
	       (double)ms / 1000, stage, units_format_count(sent), units_format_count(arrived),
	       units_format_si(step_ms ? (double)step * 1000 / (double)step_ms : 0),
	       tty ? "" : "\n");
	line_is_open = tty;
	fflush(stdout);
}

void end_progress_line(void)
{
	if (line_is_open)
		putchar('\n');
	line_is_open = false;
}
