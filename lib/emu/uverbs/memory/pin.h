/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PIN_H
#define EMU_UVERBS_MEMORY_PIN_H

#include <stdint.h>

#include "emu/uverbs/base/types.h"

/**
 * DOC: DMA
 *
 * The DMA address of a byte is its virtual address in the process. The device can access only
 * pinned ranges, and firmware translates only to addresses inside a pin. uv_pin_range() fails with
 * EFAULT if the process has not mapped the range, as Linux' pin_user_pages does.
 *
 * Memory of another process (base/front.h) is mapped here as well, so it must be shared memory;
 * Linux has no such limit. Such memory does not count against RLIMIT_MEMLOCK.
 *
 * Unlike in Linux, a pin does not keep memory alive. If a program unmaps registered memory that the
 * device still uses, the device's access fails (lib/emu/host.h).
 */

/** struct uv_pin - a range that the device may access; zeroed: no range */
struct uv_pin {
	struct uv_pin *next;
	uint64_t addr, bytes; /* range in this process; inside @mapped unless that is NULL */
	uint64_t user_addr;   /* address of the range in the user's process; 0: a dma-buf */
	bool pinned, write;
	uint64_t n_counted; /* pages that count against RLIMIT_MEMLOCK (devx-emu --memlock) */
	void *mapped;       /* mapping of a dma-buf or of another process' memory, or NULL;
			     * uv_pin_release() unmaps it */
	size_t mapped_bytes;
};

/**
 * uv_pin_range - allow the device to access [addr, addr + bytes)
 * @write: true: read and write; false: read only
 *
 * A range of 0 bytes that begins inside a page pins that page, as in Linux 6.12. With devx-emu
 * --memlock, the pages count against RLIMIT_MEMLOCK, as in Linux' ib_umem_get.
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
 * If the exporter refuses mmap(), every access by the device fails, as to unmapped memory.
 *
 * Return: 0; -EBADF: @fd is not open; -EINVAL: invalid range, or @fd is not a dma-buf; -EOPNOTSUPP:
 * @fd does not permit the access (Linux: the exporter denies devices the access); -ENOMEM
 */
int uv_pin_dmabuf(struct uv_dev *dev, struct uv_pin *pin, int fd, uint64_t off, uint64_t bytes,
		  bool write);
/** uv_pin_release - revoke the access and zero @pin; does nothing if @pin is zeroed */
void uv_pin_release(struct uv_dev *dev, struct uv_pin *pin);

/** uv_pin_move - move the range of @from to @to, which must be zeroed; zeroes @from */
void uv_pin_move(struct uv_dev *dev, struct uv_pin *to, struct uv_pin *from);

/**
 * uv_pin_find - find a pin whose 4 KiB pages contain [addr, addr + bytes). Return: NULL if none
 * @write: true: only a writable pin; false: any pin
 */
const struct uv_pin *uv_pin_find(struct uv_dev *dev, uint64_t addr, uint64_t bytes, bool write);

#endif
