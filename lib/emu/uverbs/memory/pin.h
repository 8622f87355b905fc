/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PIN_H
#define EMU_UVERBS_MEMORY_PIN_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: DMA
 *
 * The DMA address space of a device is the address space of the process, but the device
 * reaches only what was pinned: a pin is checked against the process' mappings when it is
 * made (EFAULT otherwise, as pin_user_pages) and firmware's translations must lie inside one.
 *
 * What Linux does and we cannot: a pin does not keep memory alive. A program that unmaps
 * what it registered, and lets the device go on, crashes here.
 */

/** struct uv_pin - a range that the device may reach; zero: none */
struct uv_pin {
	struct uv_pin *next;
	uint64_t addr, bytes; /* as the user gave them */
	bool pinned, write;
	void *mapped; /* we mapped it (dma-buf), and unmap it; or NULL */
};

/**
 * uv_pin_range - let the device reach [addr, addr + bytes)
 *
 * No bytes in the middle of a page are that page, as in Linux 6.12.
 *
 * Return: 0, -EINVAL: no page, more than 2^32 of them, or the end wraps; -EFAULT: a byte is
 * not mapped, or not writable while @write
 */
int uv_pin_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write);
/** uv_pin_dmabuf - map a dma-buf (any mmapable file) and pin that. pin->addr is where it is */
int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write);
/** uv_pin_release - undo either; a zero pin stays as it is */
void uv_pin_release(struct uv_dev *dev, struct uv_pin *pin);

/** uv_pin_move - @to, which is zero, becomes @from, which is zero afterwards */
void uv_pin_move(struct uv_dev *dev, struct uv_pin *to, struct uv_pin *from);

/** uv_pin_find - the pin that [addr, addr + bytes) lies in, with the access; NULL: none */
const struct uv_pin *uv_pin_find(struct uv_dev *dev, uint64_t addr, uint64_t bytes, bool write);

#endif
