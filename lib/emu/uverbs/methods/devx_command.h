/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_DEVX_COMMAND_H
#define EMU_UVERBS_METHODS_DEVX_COMMAND_H

#include "emu/uverbs/calls/call.h"

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
 * Return: 0; -EINVAL: the context may not send this command, or a vhca_tunnel_id; -EOPNOTSUPP: no
 * uid for capability queries
 */
int uv_devx_sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object);
/**
 * uv_devx_execute - execute a command of a user
 * @out: receives a buffer for the reply, as long as attribute @out_id; uv_devx_answer() frees it
 *
 * Return: 0, -EREMOTEIO: firmware refused; -ENOMSG: wrong length; -ENOMEM
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
