/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FRONT_H
#define EMU_UVERBS_BASE_FRONT_H

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/shared.h"

/** struct uv_front - this process' machine */
struct uv_front {
	struct emu_shared *shared; /* NULL: not launched by devx-emu, everything is inert */
	struct emu_adapter *adapter;
	struct uv_dev *dev[EMU_MAX_PORTS];
	struct uv_file *files;
	uint64_t n_ioctls, n_mmaps;
	/* control interface: fail the k-th from now on, < 0 never */
	int64_t fail_ioctl, fail_mmap;
	int fail_ioctl_errno, fail_mmap_errno;
};
extern struct uv_front uv_front;

void uv_front_lock(void);
void uv_front_unlock(void);

/** uv_front_find_port - the function of a port, NULL before it was powered on */
struct emu *uv_front_find_port(unsigned port);

#endif
