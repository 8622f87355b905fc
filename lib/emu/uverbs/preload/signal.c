/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed signal functions: the program can set its own actions for SIGSEGV and SIGBUS, although
 * emu handles both signals (lib/emu/host.h).
 */
#include <signal.h>

#include "emu/host.h"
#include "emu/uverbs/base/libc.h"

EXPORT int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return emu_fault_is_caught(sig) ? emu_fault_action(sig, act, old)
					: REAL(sigaction)(sig, act, old);
}

static sighandler_t set_handler(int sig, sighandler_t handler, int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags }, old;

	if (!(flags & SA_NODEFER))
		sigaddset(&act.sa_mask, sig);
	return emu_fault_action(sig, &act, &old) ? SIG_ERR : old.sa_handler;
}

/* BSD semantics, as in glibc: the handler stays installed, and system calls restart. */
EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	return emu_fault_is_caught(sig) ? set_handler(sig, handler, SA_RESTART)
					: REAL(signal)(sig, handler);
}

EXPORT sighandler_t ssignal(int sig, sighandler_t handler)
{
	return signal(sig, handler);
}

sighandler_t __sysv_signal(int sig, sighandler_t handler);

/* System V semantics: the handler runs for one signal only. */
EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler)
{
	return emu_fault_is_caught(sig) ? set_handler(sig, handler, SA_RESETHAND | SA_NODEFER)
					: REAL(__sysv_signal)(sig, handler);
}

EXPORT sighandler_t sysv_signal(int sig, sighandler_t handler)
{
	return __sysv_signal(sig, handler);
}
