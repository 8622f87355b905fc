/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PIN_H
#define EMU_UVERBS_MEMORY_PIN_H

#include "emu/uverbs/base/uv.h"

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

extern const struct emu_host_ops uv_host_ops; /* host argument: struct uv_dev ** */

/** struct uv_pin - a range that the device may reach; zero: none */
struct uv_pin {
	struct uv_pin *next;
	uint64_t addr, bytes;   /* as the user gave them */
	bool pinned, write;
	void *mapped;           /* we mapped it (dma-buf), and unmap it; or NULL */
};

/** struct uv_pins - of a device */
struct uv_pins {
	pthread_mutex_t lock;   /* leaf; map() comes with the adapter's lock held */
	struct uv_pin *head;
};

/**
 * uv_pin - let the device reach [addr, addr + bytes)
 *
 * No bytes in the middle of a page are that page, as in Linux 6.12.
 *
 * Return: 0, -EINVAL: no page, more than 2^32 of them, or the end wraps; -EFAULT: a byte is
 * not mapped, or not writable while @write
 */
int uv_pin(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write);
/** uv_pin_dmabuf - map a dma-buf (any mmapable file) and pin that. pin->addr is where it is */
int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write);
/** uv_unpin - undo either; a zero pin stays as it is */
void uv_unpin(struct uv_dev *dev, struct uv_pin *pin);

/** uv_pin_move - @to, which is zero, becomes @from, which is zero afterwards */
void uv_pin_move(struct uv_dev *dev, struct uv_pin *to, struct uv_pin *from);

/** uv_umem_page - page size for a DEVX umem, as devx_umem_find_best_pgsize. 0: none fits */
uint64_t uv_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap);
/** uv_mr_page - page size for an MR seen at @iova. 0: @iova and @addr differ within a page */
uint64_t uv_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova);

/** uv_pages - pages of @page bytes that the range touches */
uint64_t uv_pages(uint64_t addr, uint64_t bytes, uint64_t page);

#endif
