/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_METHODS_H
#define EMU_UVERBS_METHODS_METHODS_H

#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/calls/call.h"

/** uv_find_method - find the method of an ioctl. Return: NULL if there is none */
const struct uv_method *uv_find_method(uint16_t object, uint16_t method);

/**
 * uv_serve_ioctl - execute an ioctl of a uverbs file. The caller holds uv_front_lock()
 *
 * Return: 0 or -errno
 */
int uv_serve_ioctl(struct uv_file *file, int fd, void *arg);

/* ---- for the files of this folder ------------------------------------------------------- */

/* The methods of each file; the last entry has no function. */
extern const struct uv_method uv_methods_context[], uv_methods_device[], uv_methods_write[],
	uv_methods_pd[], uv_methods_mr[], uv_methods_cq[], uv_methods_uar[], uv_methods_umem[],
	uv_methods_devx[], uv_methods_devx_other[], uv_methods_devx_async[], uv_methods_event[],
	uv_methods_matcher[], uv_methods_flow[], uv_methods_pp[];

/** struct uv_write - a command of the write() interface, inside method INVOKE_WRITE (write.c) */
struct uv_write {
	struct uv_call *call;
	const uint8_t *in; /* struct of the command */
	size_t in_bytes;
};

/* Each function executes the command in its name. Return: 0 or -errno */
int uv_write_get_context(struct uv_write *w);
int uv_write_query_device(struct uv_write *w);
int uv_write_query_device_ex(struct uv_write *w);
int uv_write_alloc_pd(struct uv_write *w);
int uv_write_reg_mr(struct uv_write *w);
int uv_write_rereg_mr(struct uv_write *w);
int uv_write_create_comp_channel(struct uv_write *w);
int uv_write_modify_cq_ex(struct uv_write *w);

enum { UV_MATCH_BYTES = sizeof(((struct mlx5_ib_match_params *)0)->match_params) };

/**
 * uv_copy_match - copy a match mask or value, attribute @id, to @m
 *
 * Linux accepts up to 640 bytes, and crashes when a flow copies more than 512 bytes into its match
 * structure. emu refuses such a flow.
 *
 * Return: true; false: the attribute is longer than 512 bytes, and *@m receives only the first 512
 */
bool uv_copy_match(struct uv_call *c, uint16_t id, struct prm_fte_match_param *m);

enum { UV_HDR_BYTES = sizeof(struct prm_general_obj_in_cmd_hdr) };

/* clang-format off */
#define UV_CMD_IN(id_)                                                              \
	{ .id = (id_), .kind = UV_IN, .min = UV_HDR_BYTES, .max = UV_ANY_LENGTH }
#define UV_CMD_OUT(id_) UV_ATTR_OUT_MIN(id_, UV_HDR_BYTES)
/* clang-format on */

/**
 * uv_devx_sign - write the uid of the context into a command
 * @is_object: true for methods of DEVX objects, which refuse a vhca_tunnel_id
 *
 * Return: 0; -EINVAL: the context may not send this command, or it has a vhca_tunnel_id;
 * -EOPNOTSUPP: the context has no uid, and the device has no shared one for capability queries
 */
int uv_devx_sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object);
/**
 * uv_devx_execute - execute a command of a user
 * @out: receives a buffer with the reply, as long as attribute @out_id; uv_devx_answer() frees it
 *
 * Return: 0; -EREMOTEIO: firmware refused the command; -ENOMSG: wrong length; -ENOMEM
 */
int uv_devx_execute(struct uv_call *c, const void *in, size_t in_bytes, uint16_t out_id,
		    void **out);
/**
 * uv_devx_answer - copy the reply @out to attribute @out_id if @rc is 0 or -EREMOTEIO; free @out
 *
 * Return: @rc, or -EFAULT if the copy fails
 */
int uv_devx_answer(struct uv_call *c, uint16_t out_id, int rc, void *out);

#endif
