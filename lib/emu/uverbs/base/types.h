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
 *     methods/      a method each        struct uv_file     an open uverbs file and its ucontext
 *        |                               struct uv_obj      an object of that file, by handle
 *        v emu_exec
 *     firmware
 *
 * Names that files share begin with uv_, and libdevx-emu.so exports none of them.
 *
 * Locks: every open, mmap, close and ioctl of a uverbs file holds uv_front_lock(). emu_exec()
 * takes the adapter lock inside of it. The engine delivers events with the adapter lock held, so
 * events have a lock of their own (events/channel.h). Code that holds the event lock sends no
 * firmware command.
 */

struct uv_eq;
struct uv_fs;
struct uv_obj;
struct uv_pin;
struct uv_rate;

/** struct uv_type - a type of objects */
struct uv_type {
	const char *name;
	/* frees what the object owns, or fails without a change; NULL: it owns nothing */
	int (*destroy)(struct uv_obj *obj);
	/* unmaps the page that the user mapped; NULL: such objects have none */
	void (*take_page)(const struct uv_obj *obj);
	bool late; /* a removal of the device destroys these after all others */
};

/** struct uv_obj - first member of every object. Its handle is the lowest free one, as in Linux */
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
	bool remote;      /* another process has the context (remote/client.h); only these, @next,
		       * @opened_here and @n_mappings have a meaning
		       */
	bool opened_here; /* this process called open(), and no other one before fork() or exec */
	bool ready;       /* GET_CONTEXT has succeeded */
	uint16_t uid;     /* DEVX user id, 0: not a DEVX context */
	bool owns_td;
	uint32_t td;          /* the context's own transport domain */
	struct uv_obj **slot; /* objects by handle; NULL: free */
	uint32_t n_slots, n_objs;
	struct uv_obj *newest;
	uint64_t *uar_map;   /* bit i: index i of a UAR is in use */
	unsigned n_mappings; /* UAR pages that the user has mapped (base/mapping.h) */
};

/** struct uv_pins - memory that a device may access */
struct uv_pins {
	pthread_mutex_t lock; /* taken last: map() runs with the adapter lock held */
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
	unsigned n_tds;        /* contexts with a transport domain of their own */
	bool loopback;         /* local loopback of the vport is on */
	bool lose_event;       /* the next event of a DEVX channel is lost (events/event.h) */
};

#endif
