/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX asynchronous queries: the user reads the reply from an event file.
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdlib.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/objects/devx.h"

/* Limit of unread replies in an event file: Linux devx.c, MAX_ASYNC_BYTES_IN_USE. */
enum { MAX_ASYNC_BYTES = 1 << 20 };

/* The firmware of emu replies at once, so the reply is in the event file when the ioctl returns. */
static int devx_query_async(struct uv_call *c)
{
	struct uv_channel *ch = uv_attr_get_obj(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD);
	const uint64_t out_bytes =
		uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, 0);
	struct mlx5_ib_uapi_devx_async_cmd_hdr *msg;
	size_t in_bytes;
	void *in = uv_attr_get_bytes(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, &in_bytes);
	int rc = uv_devx_sign(c, in, true);

	if (!rc)
		rc = uv_devx_check_subject(
			in, in_bytes, false,
			uv_attr_get_obj(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE));
	if (rc || out_bytes > UINT16_MAX)
		return rc ? rc : -EINVAL;
	if (uv_channel_get_in_use(ch) + out_bytes > MAX_ASYNC_BYTES)
		return -EAGAIN;
	msg = calloc(1, sizeof(*msg) + out_bytes);
	if (!msg)
		return -ENOMEM;
	msg->wr_id = uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 0);
	/*
	 * Ignores the result: if firmware refuses the command, the reply says so. A command whose
	 * length is not a multiple of 4 never reaches firmware: the reply is all 0, as in Linux
	 * (tests/probes: "async query_cq odd-in").
	 */
	uv_exec_user(c->dev, in, in_bytes, msg->out_data, out_bytes);
	rc = uv_channel_send(ch, msg, sizeof(*msg) + out_bytes, out_bytes);
	free(msg);
	return rc;
}

const struct uv_method uv_methods_devx_async[] = {
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY, .run = devx_query_async,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, UV_READ, NULL),
		     UV_CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN),
		     UV_ATTR_CONST(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN),
		     UV_ATTR_FD(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, UV_READ, &uv_type_cmd_fd),
		     UV_ATTR_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 8) } },
	{ .run = NULL },
};
