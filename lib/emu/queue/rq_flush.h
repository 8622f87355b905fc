/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_RQ_FLUSH_H
#define EMU_QUEUE_RQ_FLUSH_H

#include "emu/queue/cq.h"
#include "emu/queue/rq.h"

/** emu_rq_error_tail - last bytes of the error CQE of the WQE at rq->cc */
static inline struct emu_cqe_tail emu_rq_error_tail(const struct emu_rq *rq)
{
	return (struct emu_cqe_tail){ .sop = rq->obj.id,
				      .wqe_counter = rq->cc,
				      .op = PRM_CQE_RESP_ERR };
}

/**
 * emu_rq_flush_failed - drop the WQEs that drivers have posted to RQs in ERR
 *
 * PRM-MISSING: an RQ in ERR also flushes WQEs that are posted later. (Linux relies on it for the
 * receive queue of a QP, mlx5_ib_drain_rq.)
 */
void emu_rq_flush_failed(struct emu *emu);

#endif
