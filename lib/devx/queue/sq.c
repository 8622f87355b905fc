/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/memory/umem_ring.h"
#include "devx/port.h"
#include "devx/pp.h"
#include "devx/queue/wq.h"
#include "devx/sq.h"

enum { LOG2_WQEBB = 6 };
_Static_assert(PRM_WQEBB_BYTES == 1 << LOG2_WQEBB, "bytes of a basic block");

static int validate_sq_attr(struct devx_dev *dev, const struct devx_sq_attr *attr)
{
	const unsigned cap = dev->caps.log_max_wq_sz;
	const unsigned max = cap && cap < DEVX_SQ_LOG2_MAX ? cap : DEVX_SQ_LOG2_MAX;

	if (attr->log2_n > max)
		return devx_fail(dev, -EINVAL,
				 "SQ: 2^%u basic blocks are too many (valid: 2^%u to 2^%u)",
				 attr->log2_n, DEVX_SQ_LOG2_MIN, max);
	if (!attr->cq || !attr->cq->obj)
		return devx_fail(dev, -EINVAL,
				 "SQ: no CQ; set attr->cq to one that devx_cq_create() made");
	if (!attr->tis || !attr->tis->obj)
		return devx_fail(dev, -EINVAL,
				 "SQ: no TIS; set attr->tis to one that devx_tis_create() made");
	if (!attr->uar || !attr->uar->base)
		return devx_fail(dev, -EINVAL,
				 "SQ: no UAR; set attr->uar to one that devx_uar_create() made");
	if (attr->inline_mode > PRM_MIN_WQE_INLINE_MODE_TCP_UDP)
		return devx_fail(dev, -EINVAL,
				 "SQ: inline mode %u is invalid (valid: 0 = none, 1 = L2, 2 = IP, "
				 "3 = TCP/UDP)",
				 attr->inline_mode);
	if (attr->pp && !attr->pp->pp)
		return devx_fail(dev, -EINVAL,
				 "SQ: no rate limit; set attr->pp to one that devx_pp_create() "
				 "made, or to NULL");
	if (attr->allow_multi_pkt && !dev->caps.multi_pkt_send_wqe &&
	    !dev->caps.enhanced_multi_pkt_send_wqe)
		return devx_fail(
			dev, -ENOTSUP,
			"SQ: allow_multi_pkt is unsupported (capabilities multi_pkt_send_wqe "
			"and enhanced_multi_pkt_send_wqe are 0)");
	return 0;
}

/* Reads the lowest inline mode that the device accepts for an SQ. */
static int query_inline_mode(struct devx_dev *dev, uint8_t *mode)
{
	struct devx_port port;
	int rc;

	*mode = PRM_MIN_WQE_INLINE_MODE_NONE;
	if (dev->caps.wqe_inline_mode == PRM_ETH_CAP_WQE_INLINE_MODE_L2)
		*mode = PRM_MIN_WQE_INLINE_MODE_L2;
	if (dev->caps.wqe_inline_mode != PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT)
		return 0;
	rc = devx_port_query(dev, &port);
	if (!rc)
		*mode = port.min_inline;
	return rc;
}

static int create_sq_object(struct devx_sq *sq, const struct devx_sq_attr *attr, size_t offset)
{
	struct prm_create_sq_in in = { 0 };
	struct prm_create_sq_out out = { 0 };
	struct prm_sqc *sqc = prm_sub(&in, ctx);
	struct prm_wq *wq = prm_sub(sqc, wq);
	const struct devx_wq_mailbox m = { &in, sizeof(in), &out, sizeof(out), sqc };
	int rc;

	prm_set(&in, opcode, PRM_OP_create_sq);
	prm_set(sqc, flush_in_error_en,
		1); /* without it posted WQEs never complete after an error */
	prm_set(sqc, allow_multi_pkt_send_wqe, attr->allow_multi_pkt);
	prm_set(sqc, min_wqe_inline_mode, sq->inline_mode);
	prm_set(sqc, state, PRM_WQ_STATE_RST);
	prm_set(sqc, cqn, attr->cq->cqn);
	prm_set(sqc, packet_pacing_rate_limit_index, attr->pp ? attr->pp->index : 0);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, attr->tis->tisn);
	devx_wq_fill(wq, &sq->buf, offset, sq->dev->pdn, sq->log2_n, LOG2_WQEBB);
	prm_set(wq, uar_page, attr->uar->page_id);
	rc = devx_wq_create(sq->dev, &m, &sq->dev->sq_ts_format, &sq->obj);
	if (!rc)
		sq->sqn = (uint32_t)prm_get(&out, sqn);
	return rc;
}

size_t devx_sq_bytes(uint8_t log2_n)
{
	return devx_buf_bytes(sizeof(struct devx_wqebb) << log2_n);
}

/* @ring: place of the ring; NULL: use attr->mem, or memory of the library */
static int create_sq(struct devx_sq *sq, struct devx_dev *dev, const struct devx_sq_attr *attr,
		     const struct devx_umem_ring *ring)
{
	size_t bytes;
	int rc = validate_sq_attr(dev, attr);

	if (rc)
		return rc;
	sq->dev = dev;
	sq->log2_n = attr->log2_n;
	sq->doorbell = attr->uar->reg;
	sq->nc = attr->uar->nc;
	sq->bf_bytes = attr->uar->bf_bytes;
	rc = query_inline_mode(dev, &sq->inline_mode);
	if (rc)
		goto fail;
	if (sq->inline_mode < attr->inline_mode)
		sq->inline_mode = attr->inline_mode;
	bytes = sizeof(struct devx_wqebb) << attr->log2_n;
	rc = ring ? devx_buf_place(&sq->buf, dev, bytes, ring)
		  : devx_buf_create(&sq->buf, dev, bytes, &attr->mem);
	if (rc)
		goto fail;
	sq->wqebbs = sq->buf.addr;
	sq->dbrec = sq->buf.dbrec;
	rc = create_sq_object(sq, attr, devx_umem_ring_offset(ring));
	if (rc)
		goto fail;
	return 0;

fail:
	devx_sq_destroy(sq);
	return rc;
}

int devx_sq_create(struct devx_sq *sq, struct devx_dev *dev, const struct devx_sq_attr *attr)
{
	return create_sq(sq, dev, attr, NULL);
}

int devx_sq_create_in_umem(struct devx_sq *sq, struct devx_dev *dev,
			   const struct devx_sq_attr *attr, const struct devx_umem_ring *ring)
{
	return create_sq(sq, dev, attr, ring);
}

void devx_sq_destroy(struct devx_sq *sq)
{
	devx_cmd_destroy(sq->dev, sq->obj);
	devx_buf_destroy(&sq->buf);
	*sq = (struct devx_sq){ 0 };
}

static struct devx_wq get_wq(const struct devx_sq *sq)
{
	return (struct devx_wq){ .dev = sq->dev,
				 .obj = sq->obj,
				 .number = sq->sqn,
				 .query_op = PRM_OP_query_sq,
				 .modify_op = PRM_OP_modify_sq };
}

int devx_sq_query_state(const struct devx_sq *sq, enum prm_wq_state *state)
{
	const struct devx_wq wq = get_wq(sq);

	return devx_wq_query_state(&wq, state);
}

int devx_sq_ready(struct devx_sq *sq)
{
	const struct devx_wq wq = get_wq(sq);

	return devx_wq_ready(&wq);
}

int devx_sq_reset(struct devx_sq *sq)
{
	const struct devx_wq wq = get_wq(sq);
	const int rc = devx_wq_reset(&wq, &sq->dbrec[PRM_DBR_SND]);

	if (!rc)
		sq->pi = 0;
	return rc;
}
