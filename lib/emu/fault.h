/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FAULT_H
#define EMU_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct emu;

/**
 * DOC: SIGSEGV and SIGBUS
 *
 * A client can unmap or truncate memory that the device uses. A front installs a handler for both
 * signals. The handler ends the access of the device (base/guard.h). It passes every other signal
 * on to the action of the program, as if it were not there: a handler, the default action, or
 * none. sigaction() of the program must then go to emu_fault_action(), or it replaces the handler.
 */

typedef int (*emu_sigaction)(int sig, const struct sigaction *act, struct sigaction *old);

/**
 * emu_fault_catch - install the handler; keeps the actions of the program. Idempotent
 * @set: sigaction() of libc
 */
void emu_fault_catch(emu_sigaction set);

/** emu_fault_forget_threads - in a child of fork: free the lock that another thread may hold */
void emu_fault_forget_threads(void);

/**
 * emu_fault_copy - copy from or to memory of a client, for a front
 * @emu: the function whose client it is; takes the adapter lock
 *
 * Return: false: the client took the memory away; a part of the bytes may be copied
 */
bool emu_fault_copy(struct emu *emu, void *to, const void *from, size_t bytes);

/** emu_fault_is_caught - true if emu_fault_catch() was called and @sig is SIGSEGV or SIGBUS */
bool emu_fault_is_caught(int sig);

/**
 * emu_fault_action - sigaction() of the program, for a signal that is caught
 * @act: the program's new action, or NULL
 * @old: receives the program's action so far, or NULL
 *
 * May be called in a signal handler, as sigaction().
 *
 * Return: 0, or -1 with errno, as sigaction()
 */
int emu_fault_action(int sig, const struct sigaction *act, struct sigaction *old);

#endif
