/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_CALLER_H
#define EMU_UVERBS_BASE_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: The process that calls
 *
 * Linux runs an ioctl in the process that called it. Here the process that owns the adapter also
 * runs the ioctls of other processes (remote/server.h). Their user memory and their descriptors
 * are here as copies while a call runs. What else differs between processes is in struct uv_caller.
 */

/** struct uv_area - memory of another process, mapped in this one */
struct uv_area {
	void *base; /* mapping of @bytes bytes, which munmap() removes */
	size_t bytes;
	uint64_t at; /* address in this process of the first byte that was asked for */
};

/** struct uv_caller - another process, whose call runs */
struct uv_caller {
	/**
	 * @map_memory: map [addr, addr + bytes) of the process here
	 *
	 * Return: 0; -EFAULT: not mapped there, or not writable although @write is true;
	 * -EOPNOTSUPP: no shared memory, or no file of it can be opened; -ENOMEM
	 */
	int (*map_memory)(struct uv_caller *caller, uint64_t addr, uint64_t bytes, bool write,
			  struct uv_area *area);
	uint32_t capabilities; /* uv_get_capabilities() there */
	int new_fd;            /* event file that the call has created for it, or -1 */
};

/** uv_caller - the process whose call runs; NULL: this one. Protected by uv_front_lock() */
extern struct uv_caller *uv_caller;

#endif
