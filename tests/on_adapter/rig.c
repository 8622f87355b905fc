/* SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devx/queue/wq.h"
#include "frames.h"

enum { LOG2_WQEBB = 6, MS_PER_S = 1000, NS_PER_MS = 1000000 };

static int create_send_side(struct rig *rig)
{
	const struct devx_cq_attr cq = { .log2_n = RIG_LOG2_CQ, .uar = &rig->uar };
	const struct devx_sq_attr sq = {
		.log2_n = RIG_LOG2_SQ, .cq = &rig->send_cq, .tis = &rig->tis, .uar = &rig->uar
	};
	enum devx_uar_type type = DEVX_UAR_BF;
	int rc = devx_td_create(&rig->out_td, rig->dev);

	rc = rc ? rc : devx_tis_create(&rig->tis, rig->dev, &rig->out_td);
	if (!rc && devx_uar_create(&rig->uar, rig->dev, type) == -EOPNOTSUPP) {
		type = DEVX_UAR_NC; /* the machine does not combine writes */
		rc = devx_uar_create(&rig->uar, rig->dev, type);
	}
	rc = rc ? rc : devx_cq_create(&rig->send_cq, rig->dev, &cq);
	rc = rc ? rc : devx_sq_create(&rig->sq, rig->dev, &sq);
	return rc ? rc : devx_sq_ready(&rig->sq);
}

bool rig_prepare_send(struct rig *rig, struct adapter *at, struct finding *f)
{
	int rc;

	rig->at = at;
	rig->dev = &at->dev;
	rc = create_send_side(rig);
	if (!rc) {
		rig->memory = aligned_alloc(RIG_PAGE, RIG_MEMORY_BYTES);
		rc = rig->memory ? 0 : -ENOMEM;
	}
	if (!rc) {
		memset(rig->memory, 0, RIG_MEMORY_BYTES);
		rc = devx_mr_create(&rig->mr, rig->dev, rig->memory, RIG_MEMORY_BYTES);
	}
	return could_prepare(f, rig->dev, rc);
}

bool rig_prepare_rq(struct rig *rig, struct finding *f)
{
	const struct devx_cq_attr cq = { .log2_n = RIG_LOG2_CQ, .uar = &rig->uar };
	const struct devx_rq_attr rq = { .log2_n = RIG_LOG2_RQ,
					 .cq = &rig->recv_cq,
					 .keep_vlan = true };
	int rc = devx_cq_create(&rig->recv_cq, rig->dev, &cq);

	rc = rc ? rc : devx_rq_create(&rig->rq, rig->dev, &rq);
	rc = rc ? rc : devx_rq_ready(&rig->rq);
	return could_prepare(f, rig->dev, rc);
}

bool rig_prepare_receive(struct rig *rig, struct finding *f)
{
	const struct devx_tir_attr tir = { .td = &rig->in_td, .rq = &rig->rq };
	int rc;

	if (!rig_prepare_rq(rig, f))
		return false;
	for (; rig->rq.pi < 1u << RIG_LOG2_RQ; rig->rq.pi++)
		*devx_rq_get_wqe(&rig->rq, rig->rq.pi) = (struct prm_data_seg){
			prm_be32_of(RIG_SLOT_BYTES),
			prm_be32_of(rig->mr.lkey),
			prm_be64_of((uintptr_t)frames_get_slot(rig, rig->rq.pi)),
		};
	devx_rq_post(&rig->rq);
	rc = devx_td_create(&rig->in_td, rig->dev);
	rc = rc ? rc : devx_tir_create(&rig->tir, rig->dev, &tir);
	return could_prepare(f, rig->dev, rc);
}

void rig_destroy(struct rig *rig)
{
	if (!rig->dev)
		return;
	frames_end_rule(rig);
	devx_tir_destroy(&rig->tir);
	devx_td_destroy(&rig->in_td);
	devx_rq_destroy(&rig->rq);
	devx_cq_destroy(&rig->recv_cq);
	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&rig->send_cq);
	devx_uar_destroy(&rig->other_uar);
	devx_uar_destroy(&rig->uar);
	devx_tis_destroy(&rig->tis);
	devx_td_destroy(&rig->out_td);
	devx_mr_destroy(&rig->mr);
	free(rig->memory);
	*rig = (struct rig){ 0 };
}

struct prm_ctrl_seg *rig_post_nop(struct rig *rig, enum prm_ce ce)
{
	struct devx_wqebb *bb = devx_sq_get_wqebb(&rig->sq, rig->sq.pi);

	memset(bb, 0, sizeof(*bb));
	bb->ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, rig->sq.pi, PRM_WQE_NOP);
	bb->ctrl.qpn_ds = prm_ctrl_dw1(rig->sq.sqn, 1);
	bb->ctrl.fm_ce_se = (uint8_t)(ce << PRM_CE_SHIFT);
	rig->sq.pi++;
	return &bb->ctrl;
}

static uint64_t read_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * MS_PER_S + (uint64_t)t.tv_nsec / NS_PER_MS;
}

const struct prm_cqe *rig_wait_cqe(struct devx_cq *cq, unsigned int ms)
{
	const uint64_t end = read_ms() + ms;
	const struct prm_cqe *cqe;

	while (!(cqe = devx_cq_peek(cq)) && read_ms() < end)
		sched_yield();
	return cqe;
}

void rig_drop_cqe(struct devx_cq *cq)
{
	devx_cq_pop(cq);
	devx_cq_release(cq);
}

void rig_expect_nop(struct rig *rig, struct finding *f, const struct prm_ctrl_seg *last,
		    uint16_t index)
{
	const struct prm_cqe *cqe;

	devx_sq_ring(&rig->sq, last);
	cqe = rig_wait_cqe(&rig->send_cq, RIG_PATIENCE_MS);
	if (!cqe) {
		finding_refute(f, "saw no CQE (expected the CQE of WQE %u)", index);
		return;
	}
	if (prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ)
		finding_refute(f, "saw an error CQE (expected the CQE of WQE %u)", index);
	else if (prm_be16_get(cqe->wqe_counter) != index)
		finding_refute(f, "saw the CQE of WQE %u first (expected that of WQE %u)",
			       prm_be16_get(cqe->wqe_counter), index);
	else
		finding_confirm(f);
	rig_drop_cqe(&rig->send_cq);
}

void rig_fill_sq(const struct rig *rig, struct prm_create_sq_in *in)
{
	struct prm_sqc *sqc = prm_sub(in, ctx);
	struct prm_wq *wq = prm_sub(sqc, wq);

	prm_set(in, opcode, PRM_OP_create_sq);
	prm_set(sqc, flush_in_error_en, 1);
	prm_set(sqc, min_wqe_inline_mode, rig->sq.inline_mode);
	prm_set(sqc, ts_format, devx_wq_ts_format(rig->dev->sq_ts_format));
	prm_set(sqc, cqn, rig->send_cq.cqn);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, rig->tis.tisn);
	devx_wq_fill(wq, &rig->sq.buf, 0, rig->dev->pdn, RIG_LOG2_SQ, LOG2_WQEBB);
	prm_set(wq, uar_page, rig->uar.page_id);
}
