/* SPDX-License-Identifier: BSD-3-Clause */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/messages.h"

int launcher_fail(int status, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("devx-emu: ", stderr);
	va_start(args, fmt);
	report_text(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}
