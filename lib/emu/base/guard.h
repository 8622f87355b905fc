/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_GUARD_H
#define EMU_BASE_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Memory that its owner unmaps or truncates
 *
 * A client may unmap or truncate registered memory at any time, also between two instructions
 * of a copy. The access then faults. Work that touches client memory therefore runs under a guard:
 *
 *     emu_guard_run() -> work -> access faults -> signal handler -> emu_guard_catch()
 *          ^                                                            |
 *          '---- callbacks.memory_lost(), then the work runs again -----'
 *
 * A guard costs a few stores per run of the work, and nothing per access. The second run does not
 * touch the byte again: memory_lost() marks the queue whose ring contains the byte. If the byte is
 * in no ring, memory_lost() blocks the mkeys that contain it until the end of the guard.
 */

/** struct emu_guard - a guard on the stack of the thread that does the work */
struct emu_guard {
	struct emu_guard *outer;
	struct emu *emu;
	const struct emu_frame *borrowed; /* a frame of the outer guard's work, or NULL */
	const uint8_t *at;                /* the byte whose access faulted, or NULL */
	void *restart[5];                 /* buffer of __builtin_setjmp() */
};

/* the innermost guard of this thread; initial-exec, so that a signal handler never allocates it */
extern __thread struct emu_guard *emu_guard __attribute__((tls_model("initial-exec")));

/**
 * EMU_GUARD - begin a guard: after a fault, the code that follows starts again
 * @g_: a local struct emu_guard of the caller, who ends it with emu_guard_end()
 * @emu_: any function of the adapter, whose lock the caller holds
 * @borrowed_: a frame in memory of the outer guard's work, or NULL
 *
 * Fast enough for every frame: sigsetjmp() executes five times as many instructions. The caller
 * should do the work in another function: its own variables cannot stay in registers.
 */
#define EMU_GUARD(g_, emu_, borrowed_)                                                             \
	do {                                                                                       \
		(g_)->outer = emu_guard;                                                           \
		(g_)->emu = (emu_);                                                                \
		(g_)->borrowed = (borrowed_);                                                      \
		(g_)->at = NULL;                                                                   \
		emu_guard = (g_);                                                                  \
		if (__builtin_setjmp((g_)->restart))                                               \
			emu_guard_lose(g_);                                                        \
	} while (0)

/** emu_guard_lose - after a fault: report the byte to memory_lost(), and restart the guard */
void emu_guard_lose(struct emu_guard *g);
/** emu_guard_unblock - unblock the mkeys that memory_lost() blocked */
void emu_guard_unblock(const struct emu_guard *g);

static inline void emu_guard_end(const struct emu_guard *g)
{
	emu_guard = g->outer;
	if (__builtin_expect(g->at != NULL, 0))
		emu_guard_unblock(g);
}

/** emu_guard_run - call @work under a guard; call it again after a fault */
void emu_guard_run(struct emu *emu, void (*work)(void *arg), void *arg);

/**
 * emu_guard_load - read a dword of client memory, with acquire order
 *
 * Return: the dword, not byte-swapped; @otherwise if @at is NULL, or if the access faults
 */
uint32_t emu_guard_load(struct emu *emu, const uint32_t *at, uint32_t otherwise);

/**
 * emu_guard_catch - in a signal handler: abort the guarded access that faulted, if there is one
 * @info: siginfo_t of SIGSEGV or SIGBUS
 * @context: the third argument of the signal handler
 *
 * Does not return if this thread runs under a guard and the address is client memory.
 */
void emu_guard_catch(const siginfo_t *info, const void *context);

#endif
