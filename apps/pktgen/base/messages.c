/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"

static bool line_is_open; /* a terminal shows a progress line without its end */
static int output_error;  /* errno of the first write to stdout that failed, or 0 */

static void flush_output(void)
{
	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && !output_error)
		output_error = errno ? errno : EIO;
}

void report_line(const char *fmt, ...)
{
	va_list ap;

	end_progress_line();
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	flush_output();
}

static void print_error(const char *kind, const char *fmt, va_list ap)
{
	end_progress_line();
	fprintf(stderr, "devx-pktgen: %s", kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

enum pktgen_exit report_error(enum pktgen_exit e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error("", fmt, ap);
	va_end(ap);
	return e;
}

void report_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error("WARNING: ", fmt, ap);
	va_end(ap);
}

enum pktgen_exit report_check_stdout(void)
{
	const int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return report_error(
			PKTGEN_ENVIRONMENT,
			"stdout: closed or not open for writing, and the report goes to it; "
			"redirect stdout to a file, a pipe or /dev/null");
	flush_output();
	if (output_error)
		return report_error(
			PKTGEN_ENVIRONMENT,
			"stdout: cannot write the report (%s); redirect stdout to a file, "
			"a pipe or /dev/null",
			strerror(output_error));
	return PKTGEN_MET;
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
	flush_output();
}

void end_progress_line(void)
{
	if (line_is_open)
		putchar('\n');
	line_is_open = false;
}
