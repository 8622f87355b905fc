/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FRONT_H
#define EMU_UVERBS_BASE_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	/* devx_emu_ctl.fail(): number of calls that succeed before one fails; < 0: none fails */
	int64_t fail_ioctl, fail_mmap, fail_device;
	int fail_ioctl_errno, fail_mmap_errno;
};
extern struct uv_front uv_front;

void uv_front_lock(void);
void uv_front_unlock(void);

/** uv_front_count_down - count down an armed failure. Return: true if this call must fail */
bool uv_front_count_down(int64_t *k);

/** uv_front_find_port - the PCI function of @port; NULL: the adapter is off, or no such port */
struct emu *uv_front_find_port(unsigned port);

/** uv_front_is_absent - check whether the RDMA device of @port was removed (control/control.h) */
bool uv_front_is_absent(unsigned port);

/**
 * DOC: The calling process
 *
 * Linux executes an ioctl in the process that called it. Here, the process that owns the adapter
 * also executes the ioctls of other processes (remote/server.h). While such a call runs, copies of
 * the caller's memory and descriptors exist here. struct uv_caller describes the caller.
 */

/** struct uv_area - memory of another process, mapped in this one */
struct uv_area {
	void *base; /* a mapping of @bytes bytes, for munmap() */
	size_t bytes;
	uint64_t at; /* address, in this process, of the first byte requested */
};

/** struct uv_caller - another process, whose call is running */
struct uv_caller {
	/**
	 * @map_memory: map [addr, addr + bytes) of the process here
	 *
	 * Return: 0; -EFAULT: the memory is not mapped there, or not writable although @write is
	 * true; -EOPNOTSUPP: the memory is not shared, or its file cannot be opened; -ENOMEM
	 */
	int (*map_memory)(struct uv_caller *caller, uint64_t addr, uint64_t bytes, bool write,
			  struct uv_area *area);
	uint32_t capabilities; /* uv_get_capabilities() there */
	int new_fd;            /* event file that the call has created, or -1 */
};

/** uv_caller - the process whose call is running; NULL: this one. Protected by uv_front_lock() */
extern struct uv_caller *uv_caller;

/**
 * uv_warn - store one line for the launcher, which prints it after the program has ended
 *
 * The function prepends "process PID (NAME): ". Of all processes of a launch, only the first call
 * with @which stores its line. devx-emu must have launched the calling process.
 */
void uv_warn(enum emu_warning which, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
