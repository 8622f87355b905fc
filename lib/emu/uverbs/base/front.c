/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/front.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct uv_caller *uv_caller;
struct uv_front uv_front = { .fail_ioctl = -1, .fail_mmap = -1, .fail_device = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void uv_front_lock(void)
{
	pthread_mutex_lock(&lock);
}
void uv_front_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

bool uv_front_count_down(int64_t *k)
{
	return *k >= 0 && (*k)-- == 0;
}

bool uv_front_is_absent(unsigned port)
{
	return __atomic_load_n(&uv_front.shared->absent[port], __ATOMIC_ACQUIRE);
}

struct emu *uv_front_find_port(unsigned port)
{
	return uv_front.adapter && port < uv_front.shared->n_ports
		       ? emu_port(uv_front.adapter, port)
		       : NULL;
}

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
