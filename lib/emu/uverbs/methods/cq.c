/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of verbs CQs, for which libmlx5 allocates the memory, and of completion channels.
 */
#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/objects/cq.h"

enum { CQE_64 = 64, CQE_128 = 128, DBR_BYTES = 8, FLAGS = MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX };

static int check_create(struct uv_call *c, const struct mlx5_ib_create_cq *u, uint64_t cqe)
{
	if (cqe < 1 || cqe > (1u << prm_get(&c->dev->general, log_max_cq_sz)) - 1)
		return -EINVAL;
	if (u->cqe_size != CQE_64 && u->cqe_size != CQE_128)
		return -EINVAL;
	if (u->flags & ~FLAGS || u->cqe_comp_en || u->reserved0 || u->reserved1)
		return -EOPNOTSUPP; /* unsupported: 128-byte padding, compression, real time */
	return u->flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX ? 0 : -EINVAL;
}

static int cq_create(struct uv_call *c)
{
	const uint64_t cqe = uv_attr_get_number(c, UVERBS_ATTR_CREATE_CQ_CQE, 0);
	const int eqn = uv_eq_find_number(
		c->dev, uv_attr_get_number(c, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0));
	struct mlx5_ib_create_cq u = { 0 };
	struct mlx5_ib_create_cq_resp resp = { 0 };
	uint64_t flags;
	struct uv_cq *cq;
	size_t bytes = 0;
	const void *uhw = uv_attr_get_bytes(c, UVERBS_ATTR_UHW_IN, &bytes);
	int rc = uv_attr_get_flags(c, UVERBS_ATTR_CREATE_CQ_FLAGS,
				   IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN |
					   IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION,
				   &flags);

	if (rc || eqn < 0 || bytes < offsetof(struct mlx5_ib_create_cq, flags))
		return -EINVAL;
	memcpy(&u, uhw, bytes < sizeof(u) ? bytes : sizeof(u));
	rc = check_create(c, &u, cqe);
	if (rc)
		return rc;
	cq = uv_obj_alloc(c->file, &uv_type_cq, sizeof(*cq));
	if (!cq)
		return -ENOMEM;
	for (cq->n_cqes = 1; cq->n_cqes < cqe + 1;)
		cq->n_cqes *= 2;
	cq->channel = uv_attr_get_obj(c, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
	if (cq->channel)
		cq->channel->obj.users++;
	rc = uv_pin_range(c->dev, &cq->ring, u.buf_addr, (uint64_t)cq->n_cqes * u.cqe_size, true);
	if (!rc)
		rc = uv_pin_range(c->dev, &cq->dbr, u.db_addr, DBR_BYTES, true);
	if (!rc)
		rc = uv_cq_make(cq, &u, eqn, (uint32_t)flags);
	if (!rc)
		rc = uv_cq_subscribe(cq,
				     uv_attr_get_number(c, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 0));
	cq->n_cqes--; /* the reply is one CQE less than the size of the ring */
	if (!rc)
		rc = uv_attr_write(c, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &cq->n_cqes,
				   sizeof(cq->n_cqes));
	resp.cqn = cq->cqn;
	if (!rc && uv_attr_find(c, UVERBS_ATTR_UHW_OUT))
		rc = uv_attr_write(c, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
	if (rc) {
		uv_obj_destroy(&cq->obj);
		return rc;
	}
	return uv_attr_publish_obj(c, UVERBS_ATTR_CREATE_CQ_HANDLE, &cq->obj);
}

/*
 * Replies with the number of completion events that the user has read. ibv_destroy_cq() waits until
 * the program has acknowledged that many events.
 */
static int cq_destroy(struct uv_call *c)
{
	struct uv_cq *cq = uv_attr_get_obj(c, UVERBS_ATTR_DESTROY_CQ_HANDLE);
	struct ib_uverbs_destroy_cq_resp resp = { 0 };
	int rc = cq->obj.users ? -EBUSY : 0;

	if (rc)
		return rc;
	resp.comp_events_reported = uv_sub_drop(&cq->obj);
	rc = uv_obj_destroy(&cq->obj);
	return rc ? rc : uv_attr_write(c, UVERBS_ATTR_DESTROY_CQ_RESP, &resp, sizeof(resp));
}

int uv_write_create_comp_channel(struct uv_write *w)
{
	struct ib_uverbs_create_comp_channel_resp resp;
	struct uv_channel *ch;
	int fd, rc;

	if (!w->call->file->ready)
		return -EINVAL;
	rc = uv_channel_open(w->call->file, &uv_type_comp_channel, UV_QUEUE_COMP, &ch, &fd);
	if (rc)
		return rc;
	rc = uv_obj_add(&ch->obj);
	resp.fd = (unsigned)fd;
	if (!rc)
		rc = uv_attr_write(w->call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	if (rc)
		uv_channel_discard(ch, fd);
	return rc;
}

const struct uv_method uv_methods_cq[] = {
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, .run = cq_create,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_CREATE_CQ_HANDLE, UV_NEW, &uv_type_cq),
		     UV_ATTR_IN(UVERBS_ATTR_CREATE_CQ_CQE, 4),
		     UV_ATTR_IN(UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 8),
		     { UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, UV_FD, UV_READ, UV_OPTIONAL,
		       .type = &uv_type_comp_channel },
		     UV_ATTR_IN(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 4),
		     UV_ATTR_OPT_FLAGS(UVERBS_ATTR_CREATE_CQ_FLAGS),
		     { UVERBS_ATTR_CREATE_CQ_EVENT_FD, UV_FD, UV_READ, UV_OPTIONAL,
		       .type = &uv_type_async },
		     UV_ATTR_OUT(UVERBS_ATTR_CREATE_CQ_RESP_CQE, 4),
		     UV_ATTR_UHW } },
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, .run = cq_destroy,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_CQ_HANDLE, UV_READ, &uv_type_cq),
		     UV_ATTR_OUT(UVERBS_ATTR_DESTROY_CQ_RESP,
				 sizeof(struct ib_uverbs_destroy_cq_resp)) } },
	{ .run = NULL },
};

enum { CQ_MODERATE = 1 << 0 };

/* Source: Linux drivers/infiniband/hw/mlx5/cq.c, mlx5_ib_modify_cq. */
int uv_write_modify_cq_ex(struct uv_write *w)
{
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	struct ib_uverbs_ex_modify_cq cmd;
	struct uv_obj *cq;

	memcpy(&cmd, w->in, sizeof(cmd));
	if (!cmd.attr_mask || cmd.reserved)
		return -EINVAL;
	if (cmd.attr_mask != CQ_MODERATE)
		return -EOPNOTSUPP;
	cq = uv_obj_find(w->call->file, cmd.cq_handle);
	if (!cq)
		return -ENOENT;
	if (cq->type != &uv_type_cq)
		return -EINVAL;
	if (!prm_get(&w->call->dev->general, cq_moderation))
		return -EOPNOTSUPP;
	if (cmd.attr.cq_period > UV_MAX_CQ_PERIOD)
		return -EINVAL;
	prm_set(&in, opcode, PRM_OP_modify_cq);
	prm_set(&in, uid, w->call->file->uid);
	prm_set(&in, cqn, uv_cq_get_number(cq));
	prm_set(prm_sub(prm_sub(&in, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select,
		PRM_MODIFY_CQ_SELECT_CQ_PERIOD | PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT);
	prm_set(cqc, cq_period, cmd.attr.cq_period);
	prm_set(cqc, cq_max_count, cmd.attr.cq_count);
	return UV_EXEC(w->call->dev, in, out);
}
