/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_HOST_H
#define EMU_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu;

/**
 * DOC: Functions that a front provides for the core
 *
 * The core knows DMA addresses only. A front (uverbs, pci) translates them to host memory and
 * delivers interrupts. The core calls both functions with the adapter lock held. They must not
 * call functions that take the lock, such as emu_exec() or emu_poll(). @irq may read EQEs.
 */

struct emu_host_ops {
	/**
	 * @map: translate the DMA addresses [@addr, @addr + @bytes) to host memory
	 *
	 * The mapping is valid until the object that needed it is destroyed, or until the front
	 * calls emu_invalidate(). On the data path the core calls @map only for UMR WQEs, and
	 * for a kernel's mkey over all physical addresses.
	 *
	 * Return: the host address, or NULL: a byte is not mapped, or not writable for @write
	 */
	void *(*map)(void *host, uint64_t addr, size_t bytes, bool write);

	/** @irq: the core has written EQEs to an EQ that uses interrupt @vector */
	void (*irq)(void *host, uint16_t vector);

	/**
	 * @owns: optional: whether the byte at @at is in memory that @map returned
	 *
	 * Needed for an mkey over all physical addresses, because no object lists its memory. Runs
	 * in a signal handler.
	 */
	bool (*owns)(void *host, const void *at);

	/** @lost: optional: an access to the byte at @at faulted; the front may report that */
	void (*lost)(void *host, const void *at);
};

/**
 * DOC: SIGSEGV and SIGBUS
 *
 * A client can unmap or truncate memory that the device uses. A front installs a handler for both
 * signals. The handler aborts the device's access (base/guard.h). For any other signal it runs the
 * program's own action: its handler, the default action, or none. The front must also redirect the
 * program's calls of sigaction() to emu_fault_action(); otherwise they would replace the handler.
 */

typedef int (*emu_sigaction)(int sig, const struct sigaction *act, struct sigaction *old);

/**
 * emu_fault_catch - install the handler, and remember the program's actions. Idempotent
 * @set: sigaction() of libc
 */
void emu_fault_catch(emu_sigaction set);

/** emu_fault_forget_threads - in a child of fork(): release the lock of a thread that is gone */
void emu_fault_forget_threads(void);

/**
 * emu_fault_copy - copy from or to memory of a client of @emu; takes the adapter lock
 *
 * Return: false if the client unmapped the memory; some of the bytes may be copied
 */
bool emu_fault_copy(struct emu *emu, void *to, const void *from, size_t bytes);

/** emu_fault_is_caught - true if emu_fault_catch() was called and @sig is SIGSEGV or SIGBUS */
bool emu_fault_is_caught(int sig);

/**
 * emu_fault_action - replaces sigaction() for the program, if emu_fault_is_caught(@sig)
 * @act: the program's new action, or NULL
 * @old: receives the program's previous action; or NULL
 *
 * Like sigaction(), it may be called in a signal handler.
 *
 * Return: 0, or -1 with errno, as sigaction()
 */
int emu_fault_action(int sig, const struct sigaction *act, struct sigaction *old);

#endif
