/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The accesses of the data path whose order the device relies on, one function each. order.py
 * compiles this file and reads the machine code, because no run on x86 notices a missing barrier.
 * Nothing links it.
 */
#include "devx/cq.h"
#include "devx/rq.h"
#include "devx/sq.h"

void reg_ring_non_cached(void *reg, const struct prm_ctrl_seg *last);
void reg_ring_write_combining(void *reg, const struct prm_ctrl_seg *last);
void sq_ring(struct devx_sq *sq, const struct prm_ctrl_seg *last);
void sq_ring_next(struct devx_sq *sq, const struct prm_ctrl_seg *last);
void sq_ring_wqe(struct devx_sq *sq, const struct prm_ctrl_seg *first);
void rq_post(struct devx_rq *rq);
uint32_t cq_peek(const struct devx_cq *cq);
void cq_release(struct devx_cq *cq);
void cq_arm(const struct devx_uar *uar, prm_be32 *dbrec, uint32_t cqn, uint32_t ci);

void reg_ring_non_cached(void *reg, const struct prm_ctrl_seg *last)
{
	devx_reg_ring(reg, true, last);
}

void reg_ring_write_combining(void *reg, const struct prm_ctrl_seg *last)
{
	devx_reg_ring(reg, false, last);
}

void sq_ring(struct devx_sq *sq, const struct prm_ctrl_seg *last)
{
	devx_sq_ring(sq, last);
}

void sq_ring_next(struct devx_sq *sq, const struct prm_ctrl_seg *last)
{
	devx_sq_ring_next(sq, last);
}

void sq_ring_wqe(struct devx_sq *sq, const struct prm_ctrl_seg *first)
{
	devx_sq_ring_wqe(sq, first);
}

void rq_post(struct devx_rq *rq)
{
	devx_rq_post(rq);
}

uint32_t cq_peek(const struct devx_cq *cq)
{
	const struct prm_cqe *cqe = devx_cq_peek(cq);

	return cqe ? cqe->byte_cnt.raw : 0;
}

void cq_release(struct devx_cq *cq)
{
	devx_cq_release(cq);
}

void cq_arm(const struct devx_uar *uar, prm_be32 *dbrec, uint32_t cqn, uint32_t ci)
{
	devx_uar_arm_cq(uar, dbrec, cqn, 1, ci);
}

/* Without its "memory" clobber, the compiler drops the first store and the second load. */
#define CHECK_CLOBBER(barrier)                                                                     \
	void clobber_##barrier(uint32_t *to, const uint64_t *from);                                \
	void clobber_##barrier(uint32_t *to, const uint64_t *from)                                 \
	{                                                                                          \
		*to = (uint32_t)*from;                                                             \
		devx_##barrier();                                                                  \
		*to = (uint32_t)*from;                                                             \
	}

CHECK_CLOBBER(to_device_barrier)
CHECK_CLOBBER(from_device_barrier)
CHECK_CLOBBER(release_barrier)
CHECK_CLOBBER(doorbell_barrier)
CHECK_CLOBBER(nc_doorbell_barrier)
CHECK_CLOBBER(wc_flush_barrier)
