/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/guard.h"

#include <ucontext.h>

#include "emu/base/dev.h"

__thread struct emu_guard *emu_guard __attribute__((tls_model("initial-exec")));

/* A function of AddressSanitizer's runtime, if the process has it. */
extern void __asan_handle_no_return(void) __attribute__((weak));

void emu_guard_lose(struct emu_guard *g)
{
	struct emu_adapter *a = g->emu->adapter;

	a->callbacks->memory_lost(a, g->at);
	if (a->has_blocked && !a->blocked_for)
		a->blocked_for = g;
	emu_guard = g;
}

void emu_guard_unblock(const struct emu_guard *g)
{
	struct emu_adapter *a = g->emu->adapter;

	if (a->blocked_for != g)
		return;
	a->callbacks->unblock_mkeys(a);
	a->blocked_for = NULL;
}

__attribute__((noinline)) void emu_guard_run(struct emu *emu, void (*work)(void *arg), void *arg)
{
	struct emu_guard g;

	EMU_GUARD(&g, emu, NULL);
	work(arg);
	emu_guard_end(&g);
}

struct load {
	const uint32_t *at; /* NULL: the read faulted */
	uint32_t value;
};

static void load_dword(void *arg)
{
	struct load *l = arg;
	const uint32_t *at = l->at;

	if (!at)
		return;
	l->at = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	l->value = __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

uint32_t emu_guard_load(struct emu *emu, const uint32_t *at, uint32_t otherwise)
{
	struct load l = { at, otherwise };

	emu_guard_run(emu, load_dword, &l);
	return l.value;
}

void emu_guard_catch(const siginfo_t *info, const void *context)
{
	const uint8_t *at = info->si_addr;
	const ucontext_t *interrupted = context;
	struct emu_guard *g = emu_guard;

	while (g && g->emu->adapter->callbacks->is_in_frame(g->borrowed, at))
		g = g->outer;
	/*
	 * si_code <= 0: a process sent the signal. A byte that faults twice is in a ring, and also
	 * in another ring or an mkey; or memory_lost() cannot help.
	 */
	if (!g || info->si_code <= 0 ||
	    !g->emu->adapter->callbacks->owns_memory(g->emu->adapter, at, g->at == at))
		return;
	g->at = at;
	emu_guard = g->outer;
	pthread_sigmask(SIG_SETMASK, &interrupted->uc_sigmask, NULL);
	if (__asan_handle_no_return)
		__asan_handle_no_return(); /* the jump skips stack frames */
	__builtin_longjmp(g->restart, 1);
}
