/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/clock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "prm/seg.h"

enum { PAGE = EMU_SHARED_PAGE };
static_assert(offsetof(struct prm_init_seg, internal_timer_h) % PAGE == 0,
	      "the page begins with the timer");

enum {
	REAL_TIME_AT = offsetof(struct prm_init_seg, real_time_h) -
		       offsetof(struct prm_init_seg, internal_timer_h),
};

void uv_clock_set_registers(struct emu_config *cfg)
{
	uint64_t *page = uv_front.shared->clock_page;

	cfg->timer = page;
	cfg->real_time = page + REAL_TIME_AT / sizeof(*page);
}

/* Bits 8 to 15 of the page number in an offset. Source: Linux mlx5_ib.h, get_command(). */
enum { COMMAND_SHIFT = 8, COMMAND_MASK = 0xff, MMAP_CORE_CLOCK = 5 };

bool uv_clock_has_offset(uint64_t off)
{
	return (off / PAGE >> COMMAND_SHIFT & COMMAND_MASK) == MMAP_CORE_CLOCK;
}

int uv_clock_check_map(const struct uv_file *file, size_t bytes, int prot, int flags)
{
	if (!file->ready || !bytes || bytes > PAGE)
		return -EINVAL;
	if (prot & PROT_WRITE)
		return -EPERM;
	if (!file->dev)
		return -EIO;
	return (flags & MAP_TYPE) == MAP_PRIVATE ? -EINVAL : 0;
}

void *uv_clock_map(void *addr, int prot, int flags)
{
	const bool fixed = flags & MAP_FIXED;
	/* mremap() maps a shared page a second time without a descriptor */
	void *at = mremap(uv_front.shared->clock_page, 0, PAGE,
			  MREMAP_MAYMOVE | (fixed ? MREMAP_FIXED : 0), addr);

	if (at != MAP_FAILED && mprotect(at, PAGE, prot)) {
		const int err = errno;

		uv_real_munmap(at, PAGE);
		errno = err;
		return MAP_FAILED;
	}
	return at;
}
