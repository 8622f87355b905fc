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
 *     preload/      libc names           struct uv_front    state of this process
 *     calls/        ioctl framing        struct uv_dev      one RDMA device: a port's mlx5_ib
 *     methods/      ioctl methods        struct uv_file     an open uverbs file and its ucontext
 *        |                               struct uv_obj      an object of that file, by handle
 *        v emu_exec
 *     firmware
 *
 * Names that source files share begin with uv_; libdevx-emu.so exports none of them.
 *
 * Locks: every open, mmap, close and ioctl of a uverbs file holds uv_front_lock(). emu_exec()
 * then also takes the adapter lock. The engine delivers events with the adapter lock held, so
 * events have their own lock (events/message_queue.h). Code that holds the event lock sends no
 * firmware command.
 */

struct uv_obj;

struct uv_type {
	const char *name;
	/* frees what the object owns, or fails without a change; NULL: it owns nothing */
	int (*destroy)(struct uv_obj *obj);
	/* detaches the page that the user mapped from the engine; NULL: the type has no pages */
	void (*take_page)(const struct uv_obj *obj);
	bool late; /* removal of the device destroys these objects after all others */
};

/** struct uv_obj - first member of every object; as in Linux, it gets the lowest free handle */
struct uv_obj {
	const struct uv_type *type;
	struct uv_file *file;
	uint32_t handle;
	uint32_t users; /* objects that refer to this one; while not 0, destroy fails with EBUSY */
	struct uv_obj *older, *newer;
};

/** struct uv_file - an open uverbs file */
struct uv_file {
	struct uv_file *next;
	struct uv_dev *dev; /* NULL: adapter off, or device removed: ioctls fail with EIO */
	dev_t fs;           /* device and inode of its memory file (files/cdev.h) */
	ino_t ino;
	bool remote; /* another process has the context (remote/client.h); valid members are then
		      * @next, @fs, @ino, @opened_here and @n_mappings
		      */
	bool opened_here; /* this process called open(), not one before fork() or exec */
	bool ready;       /* GET_CONTEXT has succeeded */
	uint16_t uid;     /* DEVX user id, 0: not a DEVX context */
	bool owns_td;
	uint32_t td;          /* the context's own transport domain */
	struct uv_obj **slot; /* objects by handle; NULL: free */
	uint32_t n_slots, n_objs;
	struct uv_obj *newest;
	uint64_t *uar_map;   /* bit i: index i of a UAR is in use */
	unsigned n_mappings; /* mapped pages (base/mapping.h) */
};

/** struct uv_pins - memory that a device may access */
struct uv_pins {
	pthread_mutex_t lock; /* innermost lock: map() runs with the adapter lock held */
	struct uv_pin *head;
};

/** struct uv_dev - state of mlx5_ib for one port */
struct uv_dev {
	unsigned port;
	struct emu *emu;
	struct uv_pins pins;
	struct prm_cmd_hca_cap general;
	struct prm_cmd_hca_cap general_max;
	struct prm_per_protocol_networking_offload_caps eth;
	struct prm_flow_table_nic_cap flow;
	struct prm_qos_cap qos;
	struct prm_device_event_cap event; /* all 0 without event_cap */
	uint32_t uar;                      /* UAR of the emulated kernel, for its EQs */
	uint16_t whitelist_uid;            /* for capability queries of contexts without DEVX */
	struct uv_eq *eq;                  /* by interrupt vector (device/eq.h) */
	struct uv_fs *fs;                  /* steering (steering/table.h) */
	struct uv_rate *rates; /* rate limits (objects/pp.h), allocated at the first use */
	unsigned n_tds;        /* contexts with their own transport domain */
	bool loopback;         /* local loopback of the vport is on */
	bool lose_event;       /* drop the next event of a DEVX channel (events/event.h) */
};

#endif
