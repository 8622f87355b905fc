/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CALLS_CALL_H
#define EMU_UVERBS_CALLS_CALL_H

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "emu/uverbs/base/types.h"

/**
 * DOC: ioctl framing
 *
 * A uverbs ioctl is a header {length, object, method, number of attributes}, followed by the
 * attributes {id, length, flags, value}. Each method declares its attributes. Before a method runs,
 * uv_call_serve() checks the user's attributes, copies the inputs and finds the objects.
 *
 *     kind      value in the attribute
 *     IN        up to 8 bytes: the bytes themselves; more: their address
 *     OUT       address of the user's buffer
 *     IDR, FD   a handle or a descriptor; for a new object (UV_NEW), the kernel writes it
 *     RAW_FD    a descriptor of a file that is not a uverbs object, such as a dma-buf
 *     ENUM      like IN, with a selector beside it; only selector 0 has a value
 *     IDRS      array of handles, passed like IN
 *
 * Source: Linux drivers/infiniband/core/uverbs_ioctl.c; include/uapi/rdma/rdma_user_ioctl_cmds.h.
 */

enum uv_kind { UV_IN = 1, UV_OUT, UV_IDR, UV_FD, UV_RAW_FD, UV_ENUM, UV_IDRS };
enum uv_access { UV_READ, UV_NEW, UV_DESTROY };

enum { UV_MAX_ATTRS = 16, UV_MAX_IDRS = 2, UV_ANY_LENGTH = 0xffff };

/** struct uv_spec - declaration of an attribute of a method */
struct uv_spec {
	uint16_t id;
	uint8_t kind, access;
	bool optional;
	bool is_fd;                 /* IN: the value is a descriptor */
	bool zero_tail;             /* may be longer than max if all bytes after max are 0 */
	uint16_t min, max;          /* bytes; IDRS: handles; ENUM: max is the number of selectors */
	const struct uv_type *type; /* NULL: any */
};

/* clang-format off */
#define UV_ATTR_IN(id_, bytes) { .id = (id_), .kind = UV_IN, .min = (bytes), .max = (bytes) }
#define UV_ATTR_IN_RANGE(id_, lo, hi) { .id = (id_), .kind = UV_IN, .min = (lo), .max = (hi) }
/* UV_ATTR_OUT: exactly @bytes. UV_ATTR_OUT_MIN: at least @bytes, for a struct that may grow */
#define UV_ATTR_OUT(id_, bytes) { .id = (id_), .kind = UV_OUT, .min = (bytes), .max = (bytes) }
#define UV_ATTR_OUT_MIN(id_, bytes) \
	{ .id = (id_), .kind = UV_OUT, .min = (bytes), .max = UV_ANY_LENGTH }
#define UV_ATTR_OBJ(id_, access_, type_) \
	{ .id = (id_), .kind = UV_IDR, .access = (access_), .type = (type_) }
#define UV_ATTR_FD(id_, access_, type_) \
	{ .id = (id_), .kind = UV_FD, .access = (access_), .type = (type_) }
/* A constant has 8 bytes, flags have 4 or 8. */
#define UV_ATTR_CONST(id_) UV_ATTR_IN(id_, 8)
#define UV_ATTR_FLAGS(id_) UV_ATTR_IN_RANGE(id_, 4, 8)
#define UV_OPTIONAL .optional = true
#define UV_ATTR_OPT_CONST(id_) { .id = (id_), .kind = UV_IN, .min = 8, .max = 8, UV_OPTIONAL }
#define UV_ATTR_OPT_FLAGS(id_) { .id = (id_), .kind = UV_IN, .min = 4, .max = 8, UV_OPTIONAL }
/* Input and output of the mlx5 driver in a method of the core, both with any length. */
#define UV_ATTR_UHW                                                                         \
	{ .id = UVERBS_ATTR_UHW_IN, .kind = UV_IN, .max = UV_ANY_LENGTH, UV_OPTIONAL },     \
	{ .id = UVERBS_ATTR_UHW_OUT, .kind = UV_OUT, .max = UV_ANY_LENGTH, UV_OPTIONAL }
/* clang-format on */

/** struct uv_attr - an attribute as the user passed it */
struct uv_attr {
	bool present;
	uint8_t elem; /* ENUM: the selector */
	uint16_t bytes;
	uint64_t value; /* the bytes, an address, a handle or a descriptor, depending on the kind */
	void *fetched;  /* copy of an input of more than 8 bytes; uv_call_release() frees it */
	struct uv_obj *obj;
	struct uv_obj *objs[UV_MAX_IDRS];
	struct ib_uverbs_attr *user;
};

/** struct uv_call - an ioctl in progress */
struct uv_call {
	struct uv_file *file;
	struct uv_dev *dev;
	int fd; /* the descriptor that the user passed to ioctl() */
	const struct uv_method *method;
	struct uv_attr attr[UV_MAX_ATTRS];
};

struct uv_method {
	uint16_t object, method;
	bool no_context; /* may run before GET_CONTEXT */
	int (*run)(struct uv_call *c);
	struct uv_spec attrs[UV_MAX_ATTRS]; /* the last one has kind 0 */
};

/** uv_call_find_method - find a method. @methods: as for uv_call_serve(). Return: NULL if absent */
const struct uv_method *uv_call_find_method(const struct uv_method *const *methods, uint16_t object,
					    uint16_t method);

/**
 * uv_call_serve - execute an ioctl of a uverbs file. The caller holds uv_front_lock()
 * @methods: lists of methods, each ended by run == NULL; the list of lists ends with NULL
 *
 * Return: 0 or -errno
 */
int uv_call_serve(const struct uv_method *const *methods, struct uv_file *file, int fd, void *arg);

/** uv_call_succeed - uv_method.run of methods that only destroy a UV_DESTROY object. Return: 0 */
int uv_call_succeed(struct uv_call *c);

/**
 * uv_call_parse - check the attributes of a call, copy its inputs and find its objects
 * @attrs: copy of the array @user
 * @user: array in user memory, in which uv_attr_write() later marks outputs as valid
 * @n: number of attributes
 *
 * Return: 0 or -errno; call uv_call_release() in either case
 */
int uv_call_parse(struct uv_call *c, const struct ib_uverbs_attr *attrs,
		  struct ib_uverbs_attr *user, unsigned n);
/** uv_call_release - free the copies of inputs that uv_call_parse() made */
void uv_call_release(struct uv_call *c);

#endif
