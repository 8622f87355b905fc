/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/cq.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/memory/page_size.h"

enum { PAGE = 4096, CQE_128 = 128 };

uint32_t uv_cq_get_number(const struct uv_obj *obj)
{
	return ((const struct uv_cq *)obj)->cqn;
}

static int cq_free(struct uv_obj *obj)
{
	struct uv_cq *cq = (struct uv_cq *)obj;
	struct prm_destroy_cq_in in = { 0 };
	struct prm_destroy_cq_out out = { 0 };

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
	uv_pin_release(obj->file->dev, &cq->ring);
	uv_pin_release(obj->file->dev, &cq->dbr);
	if (cq->channel)
		cq->channel->obj.users--;
	return 0;
}

const struct uv_type uv_type_cq = { "CQ", cq_free };

/* Source: Linux drivers/infiniband/hw/mlx5/cq.c, mlx5_ib_create_cq. */
int uv_cq_make(struct uv_cq *cq, const struct mlx5_ib_create_cq *u, int eqn, uint32_t flags)
{
	const uint64_t page =
		uv_choose_umem_page(cq->ring.addr, cq->ring.bytes, ~(uint64_t)(PAGE - 1));
	const uint64_t n = uv_count_pages(cq->ring.addr, cq->ring.bytes, page);
	const size_t in_bytes = sizeof(struct prm_create_cq_in) + n * sizeof(prm_be64);
	struct prm_create_cq_in *in = calloc(1, in_bytes);
	struct prm_create_cq_out out = { 0 };
	struct prm_cqc *cqc;
	prm_be64 *pas;
	int rc;

	if (!in)
		return -ENOMEM;
	cqc = prm_sub(in, cq_context);
	pas = (prm_be64 *)(in + 1);
	prm_set(in, opcode, PRM_OP_create_cq);
	prm_set(in, uid, cq->obj.file->uid);
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
	rc = uv_exec_kernel(cq->obj.file->dev, in, in_bytes, &out, sizeof(out));
	free(in);
	cq->made = !rc;
	cq->cqn = (uint32_t)prm_get(&out, cqn);
	return rc;
}

int uv_cq_subscribe(struct uv_cq *cq, uint64_t cookie)
{
	const struct uv_sub sub = {
		.dev = cq->obj.file->dev,
		.channel = cq->channel,
		.eventfd = -1,
		.obj = &cq->obj,
		.event = PRM_EVENT_COMP,
		.id = cq->cqn,
		.verbs = true,
		.cookie = cookie,
	};

	return cq->channel ? uv_sub_add(&sub) : 0;
}
