/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_line;    /* terminal with a progress line that lacks its newline, or NULL */
static bool output_failed; /* a write to stdout has failed, and a line on stderr said so */

static void flush_output(void)
{
	errno = 0;
	if (output_failed || (!fflush(stdout) && !ferror(stdout)))
		return;
	output_failed = true;
	report_error(0,
		     "stdout: cannot write the report (%s); redirect stdout to a file, a pipe or "
		     "/dev/null",
		     strerror(errno ? errno : EIO));
}

/* U+2028 to U+202E and U+2066 to U+2069, behind their first byte: ends of lines, directions. */
static bool is_layout_control(const unsigned char *c)
{
	return (*c == 0x80 && c[1] >= 0xa8 && c[1] <= 0xae) ||
	       (*c == 0x81 && c[1] >= 0xa6 && c[1] <= 0xa9);
}

/*
 * Returns the length of the UTF-8 character at @text; 0: a control character (C0, DEL, C1), or
 * invalid UTF-8, which a terminal may interpret as one. Characters that end a line or change the
 * direction of text also count as control characters.
 */
static size_t measure_character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const size_t n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;

	if (*c < ' ' || *c == 0x7f || *c > 0xf4 || (*c == 0xc2 && c[1] < 0xa0) ||
	    (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xf0 && c[1] < 0x90) || /* overlong encoding */
	    (*c == 0xed && c[1] > 0x9f) || (*c == 0xf4 && c[1] > 0x8f))   /* surrogate, too large */
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	return *c == 0xe2 && is_layout_control(c + 1) ? 0 : n;
}

bool report_can_print(const char *text)
{
	size_t n;

	while (*text && (n = measure_character(text)))
		text += n;
	return !*text;
}

void report_text(FILE *to, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0) {
		fputs(fmt, to); /* out of memory: at least print the format */
		return;
	}
	for (const char *c = text; *c;) {
		const size_t n = measure_character(c);

		if (n)
			fwrite(c, 1, n, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)*c);
		c += n ? n : 1;
	}
	free(text);
}

void report_line(const char *fmt, ...)
{
	va_list ap;

	end_progress_line();
	va_start(ap, fmt);
	report_text(stdout, fmt, ap);
	va_end(ap);
	putchar('\n');
	flush_output();
}

static void print_error(const char *kind, const char *fmt, va_list ap)
{
	end_progress_line();
	fprintf(stderr, "%s: %s", program_invocation_short_name, kind);
	report_text(stderr, fmt, ap);
	fputc('\n', stderr);
}

int report_error(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error("", fmt, ap);
	va_end(ap);
	return status;
}

void report_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_error("WARNING: ", fmt, ap);
	va_end(ap);
}

int report_check_stdout(int status)
{
	const int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return report_error(
			status,
			"stdout: closed or not open for writing, so the report cannot be printed; "
			"redirect stdout to a file, a pipe or /dev/null");
	flush_output();
	return output_failed ? status : 0;
}

void report_progress_line(FILE *to, const char *fmt, ...)
{
	const bool tty = isatty(fileno(to));
	va_list ap;

	fputs(tty ? "\r\033[K" : "", to);
	va_start(ap, fmt);
	report_text(to, fmt, ap);
	va_end(ap);
	fputs(tty ? "" : "\n", to);
	open_line = tty ? to : NULL;
	if (to == stdout)
		flush_output();
	else
		fflush(to);
}

void end_progress_line(void)
{
	if (open_line)
		putc('\n', open_line);
	open_line = NULL;
}
