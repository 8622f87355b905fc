/* SPDX-License-Identifier: BSD-3-Clause */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

int launcher_fail(int status, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("devx-emu: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}
