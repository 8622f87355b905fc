/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>
#include <unistd.h>

/* Object, method and attribute numbers of each ioctl by which a user sends a DEVX command. */
static const struct way {
	uint16_t object, method, handle, in, out;
} ways[N_ENTRIES] = {
	[BY_CREATE] = { MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE,
			MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN,
			MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT },
	[BY_MODIFY] = { MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY,
			MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
			MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT },
	[BY_QUERY] = { MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY,
		       MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE, MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
		       MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT },
	[BY_ASYNC] = { MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY,
		       MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE,
		       MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, 0 },
	[BY_GENERAL] = { MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, 0,
			 MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT },
};

enum { PATTERN = 0xa5, REPLY_WAIT_MS = 5000 };

struct ask command_ask(const struct command *c, void *out)
{
	const struct way *way = &ways[c->by];
	struct ask a = ask_of(way->object, way->method);

	if (c->by == BY_CREATE)
		ask_new(&a, "handle", way->handle);
	else if (way->handle)
		ask_obj(&a, "handle", way->handle, c->handle);
	ask_in(&a, "in", way->in, c->in, c->in_bytes);
	if (way->out) {
		ask_out(&a, "out", way->out, out, c->out_bytes);
	} else {
		ask_obj(&a, "fd", MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD, c->cmd_fd);
		ask_num(&a, "wr_id", MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, 77);
		ask_num(&a, "out_len", MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, c->out_bytes);
	}
	return a;
}

/* Returns the status of firmware; SAY_UNWRITTEN or SAY_NO_STATUS: the kernel wrote no output. */
static int status_of(const uint8_t *out, int error)
{
	if (out[0] != PATTERN)
		return out[0];
	return error == EREMOTEIO || !error ? SAY_UNWRITTEN : SAY_NO_STATUS;
}

/* Reads the reply to an asynchronous query: a header, then the output. Return: 0 or errno */
static int read_reply(int fd, uint8_t *out)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct mlx5_ib_uapi_devx_async_cmd_hdr *hdr;
	static uint8_t msg[sizeof(*hdr) + ASK_ROOM];
	ssize_t n;

	if (poll(&p, 1, REPLY_WAIT_MS) != 1)
		return ETIMEDOUT;
	n = read(fd, msg, sizeof(msg));
	if (n < (ssize_t)sizeof(*hdr))
		return n < 0 ? errno : EPROTO;
	memcpy(out, msg + sizeof(*hdr), (size_t)n - sizeof(*hdr));
	return 0;
}

struct reply command_run(const struct command *c)
{
	static uint8_t out[ASK_ROOM];
	struct ask a = command_ask(c, c->bad_out ? ask_nowhere() : out);
	struct reply r = { .out = out };

	memset(out, PATTERN, sizeof(out));
	r.error = ask_send(&a, c->fd);
	if (!r.error && c->by == BY_ASYNC)
		r.error = read_reply(c->cmd_fd, out);
	r.status = status_of(out, r.error);
	if (c->by != BY_CREATE)
		return r;
	r.handle = ask_handle(&a);
	if (!r.error && !c->keep)
		r.error = command_destroy(c->fd, r.handle);
	return r;
}

int command_destroy(int fd, int64_t handle)
{
	return ask_destroy(fd, MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY,
			   MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, handle);
}

struct ask eqn_of(uint32_t vector, uint32_t *eqn)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN);

	ask_num32(&a, "vector", MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, vector);
	ask_out(&a, "eqn", MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, eqn, sizeof(*eqn));
	return a;
}

struct ask uar_of(uint64_t type, uint64_t *offset, uint32_t *bytes, uint32_t *page_id)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC);

	ask_new(&a, "handle", MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
	ask_num(&a, "type", MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, type);
	ask_out(&a, "offset", MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, offset, sizeof(*offset));
	ask_out(&a, "bytes", MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, bytes, sizeof(*bytes));
	ask_out(&a, "page_id", MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, page_id, sizeof(*page_id));
	return a;
}

struct ask cmd_fd_of(void)
{
	struct ask a =
		ask_of(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC);

	ask_new(&a, "fd", MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE);
	return a;
}

struct ask event_fd_of(uint64_t flags)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD,
			      MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC);

	ask_new(&a, "fd", MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE);
	ask_num(&a, "flags", MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS, flags);
	return a;
}
