/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/memory/umem_ring.h"
#include "devx/queue/wq.h"
#include "devx/rq.h"

enum { LOG2_SEG = 4 };
_Static_assert(sizeof(struct prm_data_seg) == 1 << LOG2_SEG, "bytes of a data segment");

static int validate_rq_size(struct devx_dev *dev, const struct devx_rq_attr *attr)
{
	const struct devx_caps *caps = &dev->caps;
	const unsigned cap = caps->log_max_wq_sz;
	const unsigned max = cap && cap < DEVX_RQ_LOG2_MAX ? cap : DEVX_RQ_LOG2_MAX;
	const unsigned stride = LOG2_SEG + attr->log2_segs;

	if (attr->log2_n > max)
		return devx_fail(dev, -EINVAL,
				 "RQ: 2^%u entries are too many (valid: 2^%u to 2^%u)",
				 attr->log2_n, DEVX_RQ_LOG2_MIN, max);
	if (attr->log2_segs > DEVX_RQ_LOG2_SEGS_MAX ||
	    (caps->max_wqe_sz_rq && 1u << stride > caps->max_wqe_sz_rq) ||
	    (caps->log_max_stride_sz_rq && stride > caps->log_max_stride_sz_rq) ||
	    stride < caps->log_min_stride_sz_rq)
		return devx_fail(
			dev, -EINVAL,
			"RQ: 2^%u segments of %zu bytes per WQE are invalid (valid: at most "
			"2^%u segments, a WQE of 2^%u to 2^%u bytes and at most %u bytes)",
			attr->log2_segs, sizeof(struct prm_data_seg), DEVX_RQ_LOG2_SEGS_MAX,
			caps->log_min_stride_sz_rq, caps->log_max_stride_sz_rq,
			caps->max_wqe_sz_rq);
	return 0;
}

static int refuse_vlan_strip(struct devx_dev *dev)
{
	return devx_fail(dev, -ENOTSUP,
			 "RQ: VLAN stripping is unsupported (capability vlan_cap is 0); set "
			 "keep_vlan");
}

static int validate_rq_attr(struct devx_dev *dev, const struct devx_rq_attr *attr)
{
	const struct devx_caps *caps = &dev->caps;

	if (!attr->cq || !attr->cq->obj)
		return devx_fail(dev, -EINVAL,
				 "RQ: no CQ; set attr->cq to one that devx_cq_create() made");
	if (attr->counter && !attr->counter->obj)
		return devx_fail(
			dev, -EINVAL,
			"RQ: attr->counter was not created; call devx_counter_create() or set "
			"it to NULL");
	if (!attr->keep_vlan && !caps->vlan_cap)
		return refuse_vlan_strip(dev);
	if (attr->scatter_fcs && !caps->scatter_fcs)
		return devx_fail(dev, -ENOTSUP,
				 "RQ: scatter_fcs is unsupported (capability scatter_fcs is 0)");
	return validate_rq_size(dev, attr);
}

static int create_rq_object(struct devx_rq *rq, const struct devx_rq_attr *attr, size_t offset)
{
	struct prm_create_rq_in in = { 0 };
	struct prm_create_rq_out out = { 0 };
	struct prm_rqc *rqc = prm_sub(&in, ctx);
	const struct devx_wq_mailbox m = { &in, sizeof(in), &out, sizeof(out),
					   (struct prm_sqc *)rqc };
	int rc;

	prm_set(&in, opcode, PRM_OP_create_rq);
	prm_set(rqc, flush_in_error_en,
		1); /* without it posted WQEs never complete after an error */
	prm_set(rqc, scatter_fcs, attr->scatter_fcs);
	prm_set(rqc, vsd, attr->keep_vlan);
	prm_set(rqc, state, PRM_WQ_STATE_RST);
	prm_set(rqc, cqn, attr->cq->cqn);
	if (attr->counter)
		prm_set(rqc, counter_set_id, attr->counter->id);
	devx_wq_fill(prm_sub(rqc, wq), &rq->buf, offset, rq->dev->pdn, rq->log2_n,
		     (uint8_t)(LOG2_SEG + rq->log2_segs));
	rc = devx_wq_create(rq->dev, &m, &rq->dev->rq_ts_format, &rq->obj);
	if (!rc)
		rq->rqn = (uint32_t)prm_get(&out, rqn);
	return rc;
}

size_t devx_rq_bytes(uint8_t log2_n, uint8_t log2_segs)
{
	return devx_buf_bytes(sizeof(struct prm_data_seg) << (log2_n + log2_segs));
}

/* @ring: place of the ring; NULL: use attr->mem, or memory of the library */
static int create_rq(struct devx_rq *rq, struct devx_dev *dev, const struct devx_rq_attr *attr,
		     const struct devx_umem_ring *ring)
{
	size_t bytes;
	int rc = validate_rq_attr(dev, attr);

	if (rc)
		return rc;
	rq->dev = dev;
	rq->log2_n = attr->log2_n;
	rq->log2_segs = attr->log2_segs;
	bytes = sizeof(struct prm_data_seg) << (attr->log2_n + attr->log2_segs);
	rc = ring ? devx_buf_place(&rq->buf, dev, bytes, ring)
		  : devx_buf_create(&rq->buf, dev, bytes, &attr->mem);
	if (rc)
		goto fail;
	rq->wqes = rq->buf.addr;
	rq->dbrec = rq->buf.dbrec;
	rc = create_rq_object(rq, attr, devx_umem_ring_offset(ring));
	if (rc)
		goto fail;
	return 0;

fail:
	devx_rq_destroy(rq);
	return rc;
}

int devx_rq_query_end_lkey(struct devx_dev *dev, uint32_t *lkey)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out out = { 0 };
	const struct prm_cmd_hca_cap *cap =
		(const struct prm_cmd_hca_cap *)&out.dw[prm_bit(&out, capability) / 32];
	int rc;

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_PAGE_GENERAL << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	if (prm_get(cap, terminate_scatter_list_mkey))
		return devx_fail(dev, -ENOTSUP,
				 "RQ: only the kernel knows the lkey that ends the segments of a "
				 "WQE (capability terminate_scatter_list_mkey); fill all segments");
	*lkey = PRM_LKEY_INVALID;
	return 0;
}

int devx_rq_create(struct devx_rq *rq, struct devx_dev *dev, const struct devx_rq_attr *attr)
{
	return create_rq(rq, dev, attr, NULL);
}

int devx_rq_create_in_umem(struct devx_rq *rq, struct devx_dev *dev,
			   const struct devx_rq_attr *attr, const struct devx_umem_ring *ring)
{
	return create_rq(rq, dev, attr, ring);
}

void devx_rq_destroy(struct devx_rq *rq)
{
	devx_cmd_destroy(rq->dev, rq->obj);
	devx_buf_destroy(&rq->buf);
	*rq = (struct devx_rq){ 0 };
}

static struct devx_wq get_wq(const struct devx_rq *rq)
{
	return (struct devx_wq){ .dev = rq->dev,
				 .obj = rq->obj,
				 .number = rq->rqn,
				 .query_op = PRM_OP_query_rq,
				 .modify_op = PRM_OP_modify_rq };
}

int devx_rq_query_state(const struct devx_rq *rq, enum prm_wq_state *state)
{
	const struct devx_wq wq = get_wq(rq);

	return devx_wq_query_state(&wq, state);
}

int devx_rq_ready(struct devx_rq *rq)
{
	const struct devx_wq wq = get_wq(rq);

	return devx_wq_ready(&wq);
}

int devx_rq_reset(struct devx_rq *rq)
{
	const struct devx_wq wq = get_wq(rq);
	const int rc = devx_wq_reset(&wq, &rq->dbrec[PRM_DBR_RCV]);

	if (!rc)
		rq->pi = 0;
	return rc;
}

int devx_rq_set_keep_vlan(struct devx_rq *rq, bool keep)
{
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out = { 0 };
	struct prm_rqc *rqc = prm_sub(&in, ctx);

	if (!keep && !rq->dev->caps.vlan_cap)
		return refuse_vlan_strip(rq->dev);
	prm_set(&in, opcode, PRM_OP_modify_rq);
	prm_set(&in, rqn, rq->rqn);
	prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, PRM_MODIFY_RQ_BITMASK_VSD);
	prm_set(rqc, state, PRM_WQ_STATE_RDY);
	prm_set(rqc, vsd, keep);
	return devx_cmd_modify(rq->dev, rq->obj, &in, sizeof(in), &out, sizeof(out));
}
