/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>

#include "devx/async.h"
#include "devx/core/fail.h"
#include "prm/prm.h"

/* All commands have opcode, status and syndrome where NOP has them. */
typedef struct prm_nop_in any_in;
typedef struct prm_nop_out any_out;

struct any_reply {
	uint32_t wr_id[DEVX_ASYNC_WR_ID_BYTES / sizeof(uint32_t)];
	any_out out;
};

_Static_assert(offsetof(struct any_reply, out) ==
		       offsetof(struct mlx5dv_devx_async_cmd_hdr, out_data),
	       "the mailbox follows the wr_id");

int devx_async_create(struct devx_async *async, struct devx_dev *dev)
{
	struct mlx5dv_devx_cmd_comp *comp;
	int flags;

	errno = 0;
	comp = mlx5dv_devx_create_cmd_comp(dev->ctx);
	if (!comp)
		return devx_fail_sys(dev, errno ? errno : ENOMEM,
				     "cannot create a channel for replies of asynchronous queries");
	flags = fcntl(comp->fd, F_GETFL);
	if (flags < 0 || fcntl(comp->fd, F_SETFL, flags | O_NONBLOCK)) {
		const int err = errno;

		mlx5dv_devx_destroy_cmd_comp(comp);
		return devx_fail_sys(dev, err, "cannot make a channel for replies non-blocking");
	}
	async->comp = comp;
	async->fd = comp->fd;
	return 0;
}

void devx_async_destroy(struct devx_async *async)
{
	if (async->comp)
		mlx5dv_devx_destroy_cmd_comp(async->comp);
	*async = (struct devx_async){ 0 };
}

int devx_async_query(struct devx_async *async, struct mlx5dv_devx_obj *obj, const void *in,
		     size_t in_bytes, size_t out_bytes, uint64_t wr_id)
{
	int err;

	if (out_bytes < sizeof(any_out) || out_bytes > UINT16_MAX)
		return devx_refuse(
			&async->refusal, -EINVAL,
			"asynchronous query: a reply of %zu bytes is invalid (valid: %zu to %d)",
			out_bytes, sizeof(any_out), UINT16_MAX);
	err = mlx5dv_devx_obj_query_async(obj, in, in_bytes, out_bytes, wr_id, async->comp);
	if (err == EAGAIN)
		return devx_refuse(
			&async->refusal, -EAGAIN,
			"asynchronous query: the channel's replies would exceed %d bytes; call "
			"devx_async_take() first",
			DEVX_ASYNC_MAX_BYTES);
	if (!err)
		return 0;
	async->refusal = (struct devx_refusal){
		.rc = -err,
		.opcode = (uint16_t)prm_get((const any_in *)in, opcode),
	};
	return -err;
}

/* Stores the reason why reading the channel's file failed. */
static int report_read_error(struct devx_async *async, int err, size_t reply_bytes)
{
	switch (err) {
	case EAGAIN:
		return -EAGAIN;
	case ENOSPC:
		return devx_refuse(&async->refusal, -ENOSPC,
				   "asynchronous query: the next reply is longer than %zu bytes; "
				   "pass a larger buffer",
				   reply_bytes);
	case EIO:
		return devx_refuse(&async->refusal, -EIO,
				   "asynchronous query: the device was removed; its replies are "
				   "lost");
	default:
		return devx_refuse(&async->refusal, -err,
				   "asynchronous query: cannot read a reply (errno %d)", err);
	}
}

int devx_async_take(struct devx_async *async, void *reply, size_t reply_bytes)
{
	struct any_reply *r = reply;
	int err;

	if (reply_bytes < sizeof(*r))
		return devx_refuse(&async->refusal, -EINVAL,
				   "asynchronous query: a reply buffer of %zu bytes is too small "
				   "(valid: %zu or more)",
				   reply_bytes, sizeof(*r));
	err = mlx5dv_devx_get_async_cmd_comp(async->comp, reply, reply_bytes);
	if (err)
		return report_read_error(async, err, reply_bytes);

	const uint8_t status = (uint8_t)prm_get(&r->out, status);

	if (status == PRM_STATUS_OK)
		return 0;
	devx_refuse(&async->refusal, -EREMOTEIO,
		    "firmware refused an asynchronous query: %s (%u), syndrome 0x%06x",
		    prm_status_name(status), status, (unsigned)prm_get(&r->out, syndrome));
	async->refusal.status = status;
	async->refusal.syndrome = (uint32_t)prm_get(&r->out, syndrome);
	return -EREMOTEIO;
}

const char *devx_async_strerror(const struct devx_async *async, int rc, char *buf, size_t bytes)
{
	return devx_refusal_format(&async->refusal, rc, buf, bytes);
}
