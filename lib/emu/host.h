/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_HOST_H
#define EMU_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: What the adapter asks of the machine it is plugged into
 *
 * The core sees DMA addresses only. A front (uverbs, pci) turns them into host memory and
 * carries interrupts. Both calls come with the adapter's lock held and must not call back
 * into the adapter's locked entry points (emu_exec, emu_poll); reading EQEs is what irq is for.
 */

/** struct emu_host_ops - a front, as the core sees it */
struct emu_host_ops {
	/**
	 * @map: host address of @bytes bytes at DMA address @addr
	 *
	 * The mapping stays good until the object that asked for it is destroyed, or until the
	 * front calls emu_invalidate(). On the data path it is called for one thing only: a
	 * kernel's mkey over all physical addresses.
	 *
	 * Return: the address, or NULL if a byte is not there or may not be accessed so.
	 */
	void *(*map)(void *host, uint64_t addr, size_t bytes, bool write);

	/** @irq: EQEs were written to an EQ of interrupt @vector */
	void (*irq)(void *host, uint16_t vector);
};

#endif
