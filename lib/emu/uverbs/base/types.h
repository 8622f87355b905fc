/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_TYPES_H
#define EMU_UVERBS_BASE_TYPES_H

#include <pthread.h>
#include <sys/types.h>

#include "emu/emu.h"
#include "prm/prm.h"

/**
 * DOC: A small mlx5_ib
 *
 *     libibverbs, libmlx5, DPDK           one process
 *        | open, ioctl, close                 |
 *     preload/      libc names           struct uv_front    the process' machine
 *     calls/        ioctl framing        struct uv_dev      one RDMA device: a port's mlx5_ib
 *     methods/      a method each        struct uv_file     an open uverbs file and its ucontext
 *        |                               struct uv_obj      an object in it, by handle
 *        v emu_exec
 *     firmware
 *
 * Names are uv_*; nothing of this leaves the shared object.
 *
 * Locks: uv_front_lock() is held around every open, close and ioctl. The adapter's lock is
 * taken below it by emu_exec(). Events come from the engine with the adapter's lock held,
 * so event state has a lock of its own (events/channel.h), under which no firmware command
 * is sent.
 */

struct uv_eq;
struct uv_fs;
struct uv_obj;
struct uv_pin;

/** struct uv_type - a kind of object */
struct uv_type {
	const char *name;
	/* undo what create did; on failure the object stays as it was. NULL: nothing to do */
	int (*destroy)(struct uv_obj *obj);
};

/** struct uv_obj - first member of every object. A handle is the lowest free one, as Linux' */
struct uv_obj {
	const struct uv_type *type;
	struct uv_file *file;
	uint32_t handle;
	uint32_t users; /* objects that refer to it: while not 0, destroy is EBUSY */
	struct uv_obj *older, *newer;
};

/** struct uv_file - an open uverbs file */
struct uv_file {
	struct uv_file *next;
	struct uv_dev *dev; /* NULL: of a parent process; every ioctl is EIO */
	ino_t ino;          /* of the memory file that stands for it */
	bool inherited;     /* opened by the parent process, before fork */
	bool ready;         /* GET_CONTEXT was done */
	uint16_t uid;       /* DEVX user id, 0: not a DEVX context */
	bool owns_td;
	uint32_t td;          /* the context's own transport domain */
	struct uv_obj **slot; /* by handle */
	uint32_t n_slots, n_objs;
	struct uv_obj *newest;
	uint64_t *uar_map; /* mmap page slots in use, a bit each */
};

/** struct uv_pins - memory that a device may reach */
struct uv_pins {
	pthread_mutex_t lock; /* leaf; map() comes with the adapter's lock held */
	struct uv_pin *head;
};

/** struct uv_dev - a port's mlx5_ib */
struct uv_dev {
	unsigned port;
	struct emu *emu;
	struct uv_pins pins;
	struct prm_cmd_hca_cap general;
	struct prm_cmd_hca_cap general_max;
	struct prm_per_protocol_networking_offload_caps eth;
	struct prm_flow_table_nic_cap flow;
	uint32_t uar;           /* of the kernel, for its EQs */
	uint16_t whitelist_uid; /* for capability queries of contexts without DEVX */
	struct uv_eq *eq;       /* by interrupt vector (device/eq.h) */
	struct uv_fs *fs;       /* steering (steering/table.h) */
	unsigned n_contexts;
};

#endif
