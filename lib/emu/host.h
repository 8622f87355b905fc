/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_HOST_H
#define EMU_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Functions that a front gives to the core
 *
 * The core knows DMA addresses only. A front (uverbs, pci) translates them to host memory and
 * delivers interrupts. The core calls both functions with the adapter lock held. They must not
 * call functions that take the lock, such as emu_exec() or emu_poll(). @irq may read EQEs.
 */

/** struct emu_host_ops - functions of a front */
struct emu_host_ops {
	/**
	 * @map: translate the DMA addresses from @addr on, @bytes bytes, to host memory
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
	 * Needed for memory that no object lists: a mkey over all physical addresses. Runs in a
	 * signal handler.
	 */
	bool (*owns)(void *host, const void *at);

	/** @lost: optional: an access to the byte at @at faulted; the front may report that */
	void (*lost)(void *host, const void *at);
};

#endif
