/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/dev.h"

#include <stdarg.h>
#include <stdio.h>

void emu_lock(struct emu_adapter *a)
{
	__atomic_add_fetch(&a->n_waiting, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&a->lock);
	__atomic_sub_fetch(&a->n_waiting, 1, __ATOMIC_RELAXED);
}

void emu_unlock(struct emu_adapter *a)
{
	a->callbacks->before_unlock(a);
	pthread_mutex_unlock(&a->lock);
}

const char *emu_mistake_text(enum emu_mistake m)
{
	static const char *const text[EMU_N_MISTAKES] = {
#define EMU_MISTAKE(name, sentence) [EMU_MISTAKE_##name] = (sentence),
		EMU_MISTAKES
#undef EMU_MISTAKE
	};

	return (unsigned)m < EMU_N_MISTAKES ? text[m] : "?";
}

void emu_count_mistake(struct emu *emu, enum emu_mistake m, const char *fmt, ...)
{
	struct emu_mistakes *all = emu->adapter->mistakes;
	va_list ap;

	if (!all)
		return;
	if (all->n[m] == 0) {
		va_start(ap, fmt);
		vsnprintf(all->first[m], sizeof(all->first[m]), fmt, ap);
		va_end(ap);
	}
	/* The launcher reads both from another process: write the text before the count. */
	__atomic_store_n(&all->n[m], all->n[m] + 1, __ATOMIC_RELEASE);
}
