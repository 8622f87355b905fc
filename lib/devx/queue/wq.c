/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx/barrier.h"
#include "devx/cmd.h"
#include "devx/queue/wq.h"

/* Query and modify commands of SQ and RQ have the same layout, so one function fills both. */
#define SAME_FIELD(sq, sq_field, rq, rq_field)                                                     \
	_Static_assert(prm_bit((struct sq *)0, sq_field) == prm_bit((struct rq *)0, rq_field) &&   \
			       prm_width((struct sq *)0, sq_field) ==                              \
				       prm_width((struct rq *)0, rq_field) &&                      \
			       sizeof(struct sq) == sizeof(struct rq),                             \
		       #rq "." #rq_field)
#define SAME_PLACE(sq, sq_sub, rq, rq_sub)                                                         \
	_Static_assert(prm_bit((struct sq *)0, sq_sub) == prm_bit((struct rq *)0, rq_sub),         \
		       #rq "." #rq_sub)
SAME_FIELD(prm_modify_sq_in, opcode, prm_modify_rq_in, opcode);
SAME_FIELD(prm_modify_sq_in, sqn, prm_modify_rq_in, rqn);
SAME_FIELD(prm_modify_sq_in, sq_state, prm_modify_rq_in, rq_state);
SAME_PLACE(prm_modify_sq_in, ctx, prm_modify_rq_in, ctx);
SAME_FIELD(prm_modify_sq_out, status, prm_modify_rq_out, status);
SAME_FIELD(prm_query_sq_in, opcode, prm_query_rq_in, opcode);
SAME_FIELD(prm_query_sq_in, sqn, prm_query_rq_in, rqn);
SAME_FIELD(prm_query_sq_out, status, prm_query_rq_out, status);
SAME_PLACE(prm_query_sq_out, sq_context, prm_query_rq_out, rq_context);
SAME_FIELD(prm_sqc, state, prm_rqc, state);
SAME_FIELD(prm_sqc, ts_format, prm_rqc, ts_format);

static int modify_state(const struct devx_wq *wq, enum prm_wq_state from, enum prm_wq_state to)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out = { 0 };

	prm_set(&in, opcode, wq->modify_op);
	prm_set(&in, sqn, wq->number);
	prm_set(&in, sq_state, from);
	prm_set(prm_sub(&in, ctx), state, to);
	return devx_cmd_modify(wq->dev, wq->obj, &in, sizeof(in), &out, sizeof(out));
}

int devx_wq_query_state(const struct devx_wq *wq, enum prm_wq_state *state)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };
	int rc;

	prm_set(&in, opcode, wq->query_op);
	prm_set(&in, sqn, wq->number);
	rc = devx_cmd_query(wq->dev, wq->obj, &in, sizeof(in), &out, sizeof(out));
	if (!rc)
		*state = (enum prm_wq_state)prm_get(prm_sub(&out, sq_context), state);
	return rc;
}

int devx_wq_ready(const struct devx_wq *wq)
{
	return modify_state(wq, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY);
}

/* If a WQE fails between query and modify, the state changes to ERR: one retry is enough. */
static int stop_queue(const struct devx_wq *wq)
{
	enum prm_wq_state state;
	int rc, tries = 2;

	do {
		rc = devx_wq_query_state(wq, &state);
		if (!rc && state != PRM_WQ_STATE_RST)
			rc = modify_state(wq, state, PRM_WQ_STATE_RST);
	} while (devx_cmd_is_refused(rc) && --tries);
	return rc;
}

/* After a reset the device counts from 0: with the old record it would execute old WQEs. */
int devx_wq_reset(const struct devx_wq *wq, prm_be32 *record)
{
	const int rc = stop_queue(wq);

	if (rc)
		return rc;
	*record = prm_be32_of(0);
	devx_to_device_barrier();
	return 0;
}

/* As in mlx5_ib, get_ts_format. Firmware with only the free-running clock lacks the field. */
unsigned devx_wq_ts_format(uint8_t clocks)
{
	return clocks == PRM_HCA_CAP_TS_FORMAT_REAL_TIME ? PRM_TS_FORMAT_DEFAULT
							 : PRM_TS_FORMAT_FREE_RUNNING;
}

/* Syndromes differ between firmware builds. Linux before 5.19 reports a refusal without status. */
static bool can_be_bad_format(const struct devx_dev *dev, int rc)
{
	const uint8_t status = dev->refusal.status;

	return devx_cmd_is_refused(rc) && (!status || status == PRM_STATUS_BAD_PARAM);
}

int devx_wq_create(struct devx_dev *dev, const struct devx_wq_mailbox *m, uint8_t *clocks,
		   struct mlx5dv_devx_obj **obj)
{
	int rc;

	prm_set(m->ctx, ts_format, devx_wq_ts_format(*clocks));
	rc = devx_cmd_create(dev, m->in, m->in_bytes, m->out, m->out_bytes, obj);
	if (*clocks != PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME ||
	    !can_be_bad_format(dev, rc))
		return rc;
	prm_set(m->ctx, ts_format, devx_wq_ts_format(PRM_HCA_CAP_TS_FORMAT_REAL_TIME));
	memset(m->out, 0, m->out_bytes);
	rc = devx_cmd_create(dev, m->in, m->in_bytes, m->out, m->out_bytes, obj);
	if (!rc)
		*clocks = PRM_HCA_CAP_TS_FORMAT_REAL_TIME;
	return rc;
}

void devx_wq_fill(struct prm_wq *wq, const struct devx_buf *buf, size_t offset, uint32_t pdn,
		  uint8_t log2_n, uint8_t log2_stride)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, pdn);
	prm_set(wq, dbr_umem_id, buf->umem_id);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_addr, offset + buf->dbrec_offset);
	prm_set(wq, wq_umem_id, buf->umem_id);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_offset, offset);
	prm_set(wq, log_wq_stride, log2_stride);
	prm_set(wq, log_wq_sz, log2_n);
}
