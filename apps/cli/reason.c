/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/reason.h"

#include <stdarg.h>
#include <stdio.h>

enum { N_REASONS = 5, REASON_BYTES = 512 };

const char *reason_format(const char *format, ...)
{
	static _Thread_local char reasons[N_REASONS][REASON_BYTES];
	static _Thread_local unsigned turn;
	char *reason = reasons[turn++ % N_REASONS];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, REASON_BYTES, format, args);
	va_end(args);
	return reason;
}
