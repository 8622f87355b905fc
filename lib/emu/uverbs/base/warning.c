/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/warning.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "emu/uverbs/base/front.h"

void uv_warn(enum emu_warning which, const char *fmt, ...)
{
	struct emu_shared_warning *w = &uv_front.shared->warning[which];
	va_list args;
	int n;

	if (__atomic_exchange_n(&w->taken, 1, __ATOMIC_RELAXED))
		return;
	n = snprintf(w->text, sizeof(w->text), "process %d (%.64s): ", getpid(),
		     program_invocation_short_name);
	va_start(args, fmt);
	vsnprintf(w->text + n, sizeof(w->text) - (size_t)n, fmt, args);
	va_end(args);
}
