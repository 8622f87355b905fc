/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/cq.h"
#include "devx/memory/umem_ring.h"
#include "prm/prm.h"

static int validate_cq_attr(struct devx_dev *dev, const struct devx_cq_attr *attr)
{
	const unsigned cap = dev->caps.log_max_cq_sz;
	const unsigned max = cap && cap < DEVX_CQ_LOG2_MAX ? cap : DEVX_CQ_LOG2_MAX;

	if (attr->log2_n > max)
		return devx_fail(dev, -EINVAL,
				 "CQ: 2^%u entries are too many (valid: 2^%u to 2^%u)",
				 attr->log2_n, DEVX_CQ_LOG2_MIN, max);
	if (!attr->uar || !attr->uar->base)
		return devx_fail(dev, -EINVAL,
				 "CQ: no UAR; set attr->uar to one that devx_uar_create() made");
	if (attr->vector >= (uint32_t)dev->ctx->num_comp_vectors)
		return devx_fail(dev, -EINVAL, "CQ: no such completion vector %u (valid: 0 to %d)",
				 attr->vector, dev->ctx->num_comp_vectors - 1);
	if (attr->overrun_ignore && !dev->caps.cq_oi)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: overrun_ignore is unsupported (capability cq_oi is 0)");
	return 0;
}

static int create_cq_object(struct devx_cq *cq, const struct devx_cq_attr *attr, uint32_t eqn,
			    size_t offset)
{
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	int rc;

	prm_set(&in, opcode, PRM_OP_create_cq);
	prm_set(&in, cq_umem_id, cq->buf.umem_id);
	prm_set(&in, cq_umem_valid, 1);
	prm_set(&in, cq_umem_offset, offset);
	prm_set(cqc, dbr_umem_id, cq->buf.umem_id);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_addr, offset + cq->buf.dbrec_offset);
	prm_set(cqc, log_cq_size, attr->log2_n);
	prm_set(cqc, uar_page, attr->uar->page_id);
	prm_set(cqc, c_eqn_or_apu_element, eqn);
	prm_set(cqc, oi, attr->overrun_ignore);
	rc = devx_cmd_create(cq->dev, &in, sizeof(in), &out, sizeof(out), &cq->obj);
	if (!rc)
		cq->cqn = (uint32_t)prm_get(&out, cqn);
	return rc;
}

size_t devx_cq_bytes(uint8_t log2_n)
{
	return devx_buf_bytes(sizeof(struct prm_cqe) << log2_n);
}

/* @ring: place of the ring; NULL: use attr->mem, or memory of the library */
static int create_cq(struct devx_cq *cq, struct devx_dev *dev, const struct devx_cq_attr *attr,
		     const struct devx_umem_ring *ring)
{
	size_t bytes;
	uint32_t eqn = 0;
	int rc = validate_cq_attr(dev, attr);

	if (rc)
		return rc;
	cq->dev = dev;
	cq->log2_n = attr->log2_n;
	cq->uar = attr->uar;
	bytes = sizeof(struct prm_cqe) << attr->log2_n;
	rc = ring ? devx_buf_place(&cq->buf, dev, bytes, ring)
		  : devx_buf_create(&cq->buf, dev, bytes, &attr->mem);
	if (rc)
		goto fail;
	cq->cqes = cq->buf.addr;
	cq->dbrec = cq->buf.dbrec;
	for (size_t i = 0; i < (size_t)1 << attr->log2_n; i++)
		cq->cqes[i].op_own = PRM_CQE_INIT_OP_OWN;
	cq->dbrec[PRM_DBR_CQ_ARM] = prm_be32_of(PRM_CQ_ARM_SN_NONE << PRM_CQ_ARM_SN_SHIFT);

	/* Newer kernels create the event queue of a vector on its first query, so this can fail. */
	const int err = mlx5dv_devx_query_eqn(dev->ctx, attr->vector, &eqn);

	if (err) {
		rc = devx_fail_sys(dev, err,
				   "CQ: cannot get the event queue of completion vector %u",
				   attr->vector);
		goto fail;
	}
	rc = create_cq_object(cq, attr, eqn, devx_umem_ring_offset(ring));
	if (rc)
		goto fail;
	return 0;

fail:
	devx_cq_destroy(cq);
	return rc;
}

int devx_cq_create(struct devx_cq *cq, struct devx_dev *dev, const struct devx_cq_attr *attr)
{
	return create_cq(cq, dev, attr, NULL);
}

int devx_cq_create_in_umem(struct devx_cq *cq, struct devx_dev *dev,
			   const struct devx_cq_attr *attr, const struct devx_umem_ring *ring)
{
	return create_cq(cq, dev, attr, ring);
}

static int validate_moderation(struct devx_dev *dev, const struct devx_cq_moderation *m)
{
	if (!dev->caps.cq_moderation)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: moderation is unsupported (capability cq_moderation is 0)");
	if (m->period_us > DEVX_CQ_PERIOD_US_MAX)
		return devx_fail(dev, -EINVAL,
				 "CQ: a period of %u us is invalid (valid: 0 to %u us)",
				 m->period_us, DEVX_CQ_PERIOD_US_MAX);
	if (m->from_cqe && !dev->caps.cq_period_start_from_cqe)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: from_cqe is unsupported (capability "
				 "cq_period_start_from_cqe is 0)");
	if (m->from_cqe && !dev->caps.cq_period_mode_modify)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: from_cqe is unsupported (capability cq_period_mode_modify "
				 "is 0)");
	return 0;
}

int devx_cq_moderate(struct devx_cq *cq, const struct devx_cq_moderation *m)
{
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	uint32_t select = PRM_MODIFY_CQ_SELECT_CQ_PERIOD | PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT;
	const int rc = validate_moderation(cq->dev, m);

	if (rc)
		return rc;
	if (cq->dev->caps.cq_period_mode_modify)
		select |= PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE;
	prm_set(&in, opcode, PRM_OP_modify_cq);
	prm_set(&in, cqn, cq->cqn);
	prm_set(prm_sub(prm_sub(&in, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select, select);
	prm_set(cqc, cq_period, m->period_us);
	prm_set(cqc, cq_max_count, m->max_count);
	prm_set(cqc, cq_period_mode,
		m->from_cqe ? PRM_CQC_CQ_PERIOD_MODE_START_FROM_CQE
			    : PRM_CQC_CQ_PERIOD_MODE_START_FROM_EQE);
	return devx_cmd_modify(cq->dev, cq->obj, &in, sizeof(in), &out, sizeof(out));
}

int devx_cq_query_failed(const struct devx_cq *cq, bool *failed)
{
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq->cqn);
	rc = devx_cmd_query(cq->dev, cq->obj, &in, sizeof(in), &out, sizeof(out));
	if (!rc)
		*failed = prm_get(prm_sub(&out, cq_context), status) != PRM_CQC_STATUS_OK;
	return rc;
}

void devx_cq_destroy(struct devx_cq *cq)
{
	devx_cmd_destroy(cq->dev, cq->obj);
	devx_buf_destroy(&cq->buf);
	*cq = (struct devx_cq){ 0 };
}
