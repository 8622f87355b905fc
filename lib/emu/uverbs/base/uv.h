/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_UV_H
#define EMU_UVERBS_BASE_UV_H

#include <pthread.h>
#include <sys/types.h>

#include "emu/emu.h"
#include "emu/uverbs/shared.h"
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
 * Locks: uv_lock() is held around every open, close and ioctl. The adapter's lock is taken
 * below it by emu_exec(). Events come from the engine with the adapter's lock held, so
 * event state has a lock of its own (event.c), under which no firmware command is sent.
 */

struct uv_dev;
struct uv_file;
struct uv_obj;

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
	uint32_t users;             /* objects that refer to it: while not 0, destroy is EBUSY */
	struct uv_obj *older, *newer;
};

/** struct uv_file - an open uverbs file */
struct uv_file {
	struct uv_file *next;
	struct uv_dev *dev;         /* NULL: of a parent process; every ioctl is EIO */
	ino_t ino;                  /* of the memory file that stands for it */
	bool ready;                 /* GET_CONTEXT was done */
	uint16_t uid;               /* DEVX user id, 0: not a DEVX context */
	bool owns_td;
	uint32_t td;                /* the context's own transport domain */
	struct uv_obj **slot;       /* by handle */
	uint32_t n_slots, n_objs;
	struct uv_obj *newest;
	uint64_t *uar_map;          /* mmap page slots in use, a bit each */
};

/** struct uv_front - this process' machine */
struct uv_front {
	struct emu_shared *shared;  /* NULL: not launched by devx-emu, everything is inert */
	struct emu_adapter *adapter;
	struct uv_dev *dev[EMU_MAX_PORTS];
	struct uv_file *files;
	uint64_t n_ioctls, n_mmaps;
	/* control interface: fail the k-th from now on, < 0 never */
	int64_t fail_ioctl, fail_mmap;
	int fail_ioctl_errno, fail_mmap_errno;
};
extern struct uv_front uv_front;

void uv_lock(void);
void uv_unlock(void);

/* ---- power.c: power, processes ------------------------------------------------- */

/** uv_start - map what the launcher left, if it did; once, before anything else */
void uv_start(void);
/** uv_adapter_get - power on, once. Lock held. Return: 0 or -errno; shared->why says why */
int uv_adapter_get(void);

/* ---- file.c: files and their objects ------------------------------------------- */

/** uv_open - open the uverbs file of a port. Return: a descriptor, or -errno */
int uv_open(unsigned port, int flags);
/** uv_file_of - the file behind a descriptor, or NULL. Lock held */
struct uv_file *uv_file_of(int fd);
/** uv_reap - close files that no descriptor of this process refers to any more. Lock held */
void uv_reap(void);
/** uv_has_files - anything open at all? Without the lock: a hint for the fast path */
bool uv_has_files(void);

/** uv_obj_new - allocate an object of @bytes that starts with struct uv_obj; not visible yet */
void *uv_obj_new(struct uv_file *file, const struct uv_type *type, size_t bytes);
/** uv_obj_drop - free one that never came to anything */
void uv_obj_drop(struct uv_obj *obj);
/** uv_obj_add - give it a handle. Return: 0, or -ENOMEM and it is as before */
int uv_obj_add(struct uv_obj *obj);
/** uv_obj_destroy - destroy it and give its handle back. Return: 0, or -errno and it stays */
int uv_obj_destroy(struct uv_obj *obj);
/** uv_obj_at - by handle. Return: the object or NULL */
struct uv_obj *uv_obj_at(const struct uv_file *file, uint64_t handle);

/* ---- dev.c: the device --------------------------------------------------------- */

int uv_dev_open(unsigned port);
const uint8_t *uv_dev_mac(const struct uv_dev *dev, struct emu_link *link);

/**
 * uv_do - a command for a user
 *
 * Return: 0; -EREMOTEIO: firmware refused it, @out says why (Linux 5.19+); -ENOMSG: a length
 * that is no multiple of 4
 */
int uv_do(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes);
/** uv_exec - a command of the kernel's. Return: 0, or firmware's status as an errno */
int uv_exec(struct uv_dev *dev, const void *in, size_t in_bytes, void *out, size_t out_bytes);
#define UV_EXEC(dev, in, out) uv_exec(dev, &(in), sizeof(in), &(out), sizeof(out))

/** uv_capable - does the process have a Linux capability ("net_raw", "sys_rawio")? */
bool uv_capable(const char *name);

/* ---- context ------------------------------------------------------------------- */

/** uv_context_open - GET_CONTEXT: a ucontext for this file. @devx: with a DEVX user id */
int uv_context_open(struct uv_file *file, bool devx);
void uv_context_close(struct uv_file *file);

#endif
