/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PIN_H
#define EMU_UVERBS_MEMORY_PIN_H

#include <stdint.h>

#include "emu/uverbs/base/types.h"

/**
 * DOC: DMA
 *
 * The DMA address of a byte is its virtual address in the process. The device can access only
 * pinned ranges. uv_pin_range() checks that the process has mapped the range (else EFAULT, as
 * Linux' pin_user_pages). Every translation of firmware must lie inside a pin.
 *
 * Memory of another process (base/front.h) is mapped a second time in this one, so it must be
 * shared memory. Linux has no such limit. It does not count against RLIMIT_MEMLOCK.
 *
 * A pin of emu does not keep memory alive, unlike a pin of Linux. If a program unmaps registered
 * memory that the device still uses, the access of the device fails (lib/emu/host.h).
 */

/** struct uv_pin - a range that the device may access; zeroed: no range */
struct uv_pin {
	struct uv_pin *next;
	uint64_t addr, bytes; /* range of the user; addr in @mapped, if that mapping exists */
	uint64_t user_addr;   /* address in the process of the user; 0: a dma-buf */
	bool pinned, write;
	uint64_t n_counted; /* pages that count against RLIMIT_MEMLOCK (devx-emu --memlock) */
	void *mapped;       /* mapping of a dma-buf or of another process' memory, which
			     * uv_pin_release() unmaps; or NULL */
	size_t mapped_bytes;
};

/**
 * uv_pin_range - allow the device to access [addr, addr + bytes)
 * @write: true: also for writing
 *
 * A range of 0 bytes that begins inside a page pins that page, as in Linux 6.12.
 *
 * Counts the pages against RLIMIT_MEMLOCK if devx-emu has --memlock, as Linux' ib_umem_get does.
 *
 * Return: 0; -EINVAL: no page, 2^32 pages or more, or the end exceeds 2^64; -EPERM: the limit is 0;
 * -ENOMEM: more than the limit; -EFAULT: a byte is not mapped, or is not writable although @write
 * is true; -EOPNOTSUPP: memory of another process that is not shared
 */
int uv_pin_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes, bool write);
/** uv_pin_kernel_range - uv_pin_range() for memory of the emulated kernel, which has no limit */
int uv_pin_kernel_range(struct uv_dev *dev, struct uv_pin *pin, uint64_t addr, uint64_t bytes);
/**
 * uv_pin_dmabuf - map a dma-buf and pin the mapping; pin->addr receives its address
 * @fd: the dma-buf, or its stand-in (pin.c)
 *
 * If the exporter refuses mmap(), each access of the device fails as one to lost memory does.
 *
 * Return: 0; -EBADF: @fd is not open; -EINVAL: invalid range, or @fd is not a dma-buf; -EOPNOTSUPP:
 * @fd lacks the right, as Linux for an exporter that lets no device access it; -ENOMEM
 */
int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write);
/** uv_pin_release - end the access and zero @pin; does nothing if @pin is zeroed */
void uv_pin_release(struct uv_dev *dev, struct uv_pin *pin);

/** uv_pin_move - move the range of @from to @to, which must be zeroed; zeroes @from */
void uv_pin_move(struct uv_dev *dev, struct uv_pin *to, struct uv_pin *from);

/**
 * uv_pin_find - find a pin whose pages of 4 KiB contain [addr, addr + bytes)
 * @write: true: only pins for writing count
 *
 * Return: the pin, or NULL
 */
const struct uv_pin *uv_pin_find(struct uv_dev *dev, uint64_t addr, uint64_t bytes, bool write);

#endif
