/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FRONT_H
#define EMU_UVERBS_BASE_FRONT_H

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/shared.h"

/** struct uv_front - state of the front in this process */
struct uv_front {
	struct emu_shared *shared; /* NULL: devx-emu did not launch this process */
	struct emu_adapter *adapter;
	struct uv_dev *dev[EMU_MAX_PORTS];
	struct uv_file *files;
	uint64_t n_ioctls, n_mmaps;
	uint64_t n_locked; /* pages of 4 KiB that count against RLIMIT_MEMLOCK */
	/* devx_emu_ctl.fail(): number of calls before the one that fails; < 0: none fails */
	int64_t fail_ioctl, fail_mmap, fail_device;
	int fail_ioctl_errno, fail_mmap_errno;
};
extern struct uv_front uv_front;

void uv_front_lock(void);
void uv_front_unlock(void);

/** uv_front_count_down - count down an armed failure. Return: true: the current call must fail */
bool uv_front_count_down(int64_t *k);

/**
 * uv_front_find_port - find the PCI function of @port
 *
 * Return: the function; NULL: the adapter is off, or no such port
 */
struct emu *uv_front_find_port(unsigned port);

/** uv_front_is_absent - tell whether the RDMA device of @port was removed (control/presence.h) */
bool uv_front_is_absent(unsigned port);

#endif
