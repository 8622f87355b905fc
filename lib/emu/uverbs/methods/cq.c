/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verbs completion queues, on buffers that libmlx5 brings, and completion channels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/objects/cq.h"
#include "emu/uverbs/memory/pin.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/base/libc.h"

enum { PAGE = 4096, CQE_64 = 64, CQE_128 = 128, DBR_BYTES = 8,
       FLAGS = MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX };

/** struct uv_cq - a verbs CQ */
struct uv_cq {
	struct uv_obj obj;
	struct uv_pin ring, dbr;
	struct uv_channel *channel; /* counted in channel->obj.users */
	bool made;
	uint32_t cqn, n_cqes;
};

uint32_t uv_cq_number(const struct uv_obj *obj)
{
	return ((const struct uv_cq *)obj)->cqn;
}

static int cq_free(struct uv_obj *obj)
{
	struct uv_cq *cq = (struct uv_cq *)obj;
	struct prm_destroy_cq_in in = {0};
	struct prm_destroy_cq_out out = {0};

	if (cq->made) {
		prm_set(&in, opcode, PRM_OP_destroy_cq);
		prm_set(&in, uid, obj->file->uid);
		prm_set(&in, cqn, cq->cqn);
		const int rc = UV_EXEC(obj->file->dev, in, out);

		if (rc)
			return rc;
		cq->made = false;
	}
	uv_sub_drop(obj);
	uv_unpin(obj->file->dev, &cq->ring);
	uv_unpin(obj->file->dev, &cq->dbr);
	if (cq->channel)
		cq->channel->obj.users--;
	return 0;
}

const struct uv_type uv_type_cq = { "CQ", cq_free };

/* Source: Linux drivers/infiniband/hw/mlx5/cq.c, mlx5_ib_create_cq. */
static int make(struct uv_call *c, struct uv_cq *cq, const struct mlx5_ib_create_cq *u, int eqn,
		uint32_t flags)
{
	const uint64_t page = uv_umem_page(cq->ring.addr, cq->ring.bytes, ~(uint64_t)(PAGE - 1));
	const uint64_t n = uv_pages(cq->ring.addr, cq->ring.bytes, page);
	const size_t in_bytes = sizeof(struct prm_create_cq_in) + n * sizeof(prm_be64);
	struct prm_create_cq_in *in = calloc(1, in_bytes);
	struct prm_create_cq_out out = {0};
	struct prm_cqc *cqc;
	prm_be64 *pas;
	int rc;

	if (!in)
		return -ENOMEM;
	cqc = prm_sub(in, cq_context);
	pas = (prm_be64 *)(in + 1);
	prm_set(in, opcode, PRM_OP_create_cq);
	prm_set(in, uid, c->file->uid);
	prm_set(cqc, cqe_sz,
		u->cqe_size == CQE_128 ? PRM_CQC_CQE_SZ_128_BYTES : PRM_CQC_CQE_SZ_64_BYTES);
	prm_set(cqc, log_cq_size, (unsigned)__builtin_ctz(cq->n_cqes));
	prm_set(cqc, uar_page, u->uar_page_index);
	prm_set(cqc, c_eqn_or_apu_element, (unsigned)eqn);
	prm_set(cqc, log_page_size, (unsigned)__builtin_ctzll(page / PAGE));
	prm_set(cqc, page_offset, cq->ring.addr % page / (page / 64));
	prm_set(cqc, dbr_addr, u->db_addr);
	prm_set(cqc, oi, !!(flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN));
	for (uint64_t i = 0; i < n; i++)
		pas[i] = prm_be64_of((cq->ring.addr & ~(page - 1)) + i * page);
	rc = uv_exec(c->dev, in, in_bytes, &out, sizeof(out));
	free(in);
	cq->made = !rc;
	cq->cqn = (uint32_t)prm_get(&out, cqn);
	return rc;
}

static int subscribe(struct uv_call *c, struct uv_cq *cq)
{
	const struct uv_sub sub = {
		.dev = c->dev, .channel = cq->channel, .eventfd = -1, .obj = &cq->obj,
		.event = PRM_EVENT_COMP, .id = cq->cqn, .verbs = true,
		.cookie = uv_num(c, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 0),
	};

	return cq->channel ? uv_sub_add(&sub) : 0;
}

static int check(struct uv_call *c, const struct mlx5_ib_create_cq *u, uint64_t cqe)
{
	if (cqe < 1 || cqe > (1u << prm_get(&c->dev->general, log_max_cq_sz)) - 1)
		return -EINVAL;
	if (u->cqe_size != CQE_64 && u->cqe_size != CQE_128)
		return -EINVAL;
	if (u->flags & ~FLAGS || u->cqe_comp_en || u->reserved0 || u->reserved1)
		return -EOPNOTSUPP; /* 128-byte padding, compression, real-time stamps */
	return u->flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX ? 0 : -EINVAL;
}

static int cq_create(struct uv_call *c)
{
	const uint64_t cqe = uv_num(c, UVERBS_ATTR_CREATE_CQ_CQE, 0);
	const int eqn = uv_dev_eqn(c->dev, uv_num(c, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0));
	struct mlx5_ib_create_cq u = {0};
	struct mlx5_ib_create_cq_resp resp = {0};
	uint64_t flags;
	struct uv_cq *cq;
	size_t bytes = 0;
	const void *uhw = uv_in(c, UVERBS_ATTR_UHW_IN, &bytes);
	int rc = uv_flags(c, UVERBS_ATTR_CREATE_CQ_FLAGS, IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN |
			  IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION, &flags);

	if (rc || eqn < 0 || bytes < offsetof(struct mlx5_ib_create_cq, flags))
		return -EINVAL;
	memcpy(&u, uhw, bytes < sizeof(u) ? bytes : sizeof(u));
	rc = check(c, &u, cqe);
	if (rc)
		return rc;
	cq = uv_obj_new(c->file, &uv_type_cq, sizeof(*cq));
	if (!cq)
		return -ENOMEM;
	for (cq->n_cqes = 1; cq->n_cqes < cqe + 1;)
		cq->n_cqes *= 2;
	cq->channel = uv_obj(c, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
	if (cq->channel)
		cq->channel->obj.users++;
	rc = uv_pin(c->dev, &cq->ring, u.buf_addr, (uint64_t)cq->n_cqes * u.cqe_size, true);
	if (!rc)
		rc = uv_pin(c->dev, &cq->dbr, u.db_addr, DBR_BYTES, true);
	if (!rc)
		rc = make(c, cq, &u, eqn, (uint32_t)flags);
	if (!rc)
		rc = subscribe(c, cq);
	cq->n_cqes--; /* as reported: one less than the ring has */
	if (!rc)
		rc = uv_out(c, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &cq->n_cqes, sizeof(cq->n_cqes));
	resp.cqn = cq->cqn;
	if (!rc && uv_attr(c, UVERBS_ATTR_UHW_OUT))
		rc = uv_out(c, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
	if (rc) {
		uv_obj_destroy(&cq->obj);
		return rc;
	}
	return uv_publish(c, UVERBS_ATTR_CREATE_CQ_HANDLE, &cq->obj);
}

/* The user waits until he has acknowledged as many events as he has read. */
static int cq_destroy(struct uv_call *c)
{
	struct uv_cq *cq = uv_obj(c, UVERBS_ATTR_DESTROY_CQ_HANDLE);
	struct ib_uverbs_destroy_cq_resp resp = {0};
	int rc = cq->obj.users ? -EBUSY : 0;

	if (rc)
		return rc;
	resp.comp_events_reported = uv_sub_drop(&cq->obj);
	rc = uv_obj_destroy(&cq->obj);
	return rc ? rc : uv_out(c, UVERBS_ATTR_DESTROY_CQ_RESP, &resp, sizeof(resp));
}

/* ---- completion channels ------------------------------------------------------------ */

const struct uv_type uv_type_comp_channel = { "completion channel", uv_channel_free };

int uv_write_create_comp_channel(struct uv_write *w)
{
	struct ib_uverbs_create_comp_channel_resp resp;
	struct uv_channel *ch;
	int fd, rc;

	if (!w->call->file->ready)
		return -EINVAL;
	rc = uv_channel_new(w->call->file, &uv_type_comp_channel, &ch, &fd);
	if (rc)
		return rc;
	rc = uv_obj_add(&ch->obj);
	resp.fd = (unsigned)fd;
	if (!rc)
		rc = uv_out(w->call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	if (rc) {
		uv_real_close(fd);
		uv_obj_destroy(&ch->obj);
	}
	return rc;
}

const struct uv_method uv_methods_cq[] = {
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, .run = cq_create, .attrs = {
		UV_ATTR_OBJ(UVERBS_ATTR_CREATE_CQ_HANDLE, UV_NEW, &uv_type_cq),
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
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, .run = cq_destroy, .attrs = {
		UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_CQ_HANDLE, UV_READ, &uv_type_cq),
		UV_ATTR_OUT(UVERBS_ATTR_DESTROY_CQ_RESP,
			    sizeof(struct ib_uverbs_destroy_cq_resp)) } },
	{ .run = NULL },
};
