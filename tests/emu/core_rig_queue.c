/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_queue.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

#include <endian.h>
#include <string.h>

/* Returns the size of a umem for a ring at its start and a doorbell record in its last 64 bytes. */
static size_t queue_bytes(size_t ring)
{
	return (ring + CORE_RIG_DBR_BYTES + CORE_RIG_PAGE - 1) / CORE_RIG_PAGE * CORE_RIG_PAGE;
}

struct core_rig_cq core_rig_make_cq(struct core_rig *r, unsigned log_n)
{
	struct core_rig_cq cq = { .n = 1u << log_n };
	const size_t bytes = queue_bytes(cq.n * sizeof(*cq.cqe));
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out;
	struct prm_cqc *cqc = prm_sub(&in, cq_context);

	cq.cqe = core_rig_alloc(r, bytes);
	cq.dbr = (prm_be32 *)((uint8_t *)cq.cqe + bytes - CORE_RIG_DBR_BYTES);
	for (unsigned i = 0; i < cq.n; i++)
		cq.cqe[i].op_own = PRM_CQE_INIT_OP_OWN;
	cq.umem = core_rig_make_umem(r, cq.cqe, bytes, true);
	prm_set(&in, uid, r->uid);
	prm_set(&in, cq_umem_valid, 1);
	prm_set(&in, cq_umem_id, cq.umem);
	prm_set(cqc, log_cq_size, log_n);
	prm_set(cqc, uar_page, r->uar);
	prm_set(cqc, c_eqn_or_apu_element, r->eqn);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_umem_id, cq.umem);
	prm_set(cqc, dbr_addr, bytes - CORE_RIG_DBR_BYTES);
	CORE_RIG_OK(r, create_cq, &in, &out);
	cq.cqn = (uint32_t)prm_get(&out, cqn);
	return cq;
}

struct prm_cqe *core_rig_take_cqe(struct core_rig_cq *cq)
{
	struct prm_cqe *cqe = &cq->cqe[cq->ci & (cq->n - 1)];
	/* Reads 8 bytes, as emu writes them: ThreadSanitizer pairs accesses of equal width only. */
	typedef uint64_t __attribute__((may_alias)) tail;
	const uint64_t last = __atomic_load_n((tail *)&cqe->sop_drop_qpn, __ATOMIC_ACQUIRE);
	const uint8_t op_own = (uint8_t)be64toh(last);
	const unsigned lap = cq->ci / cq->n & 1;

	if ((op_own & PRM_CQE_OWNER) != lap || prm_cqe_opcode(op_own) == PRM_CQE_INVALID)
		return NULL;
	cq->ci++;
	__atomic_store_n(&cq->dbr[PRM_DBR_CQ_CI].raw, prm_be32_of(cq->ci & 0xffffff).raw,
			 __ATOMIC_RELEASE);
	return cqe;
}

static void fill_wq(struct core_rig *r, struct prm_wq *wq, uint32_t umem, size_t bytes,
		    unsigned log_n, unsigned log_stride)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, r->pd);
	prm_set(wq, log_wq_sz, log_n);
	prm_set(wq, log_wq_stride, log_stride);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_id, umem);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_umem_id, umem);
	prm_set(wq, dbr_addr, bytes - CORE_RIG_DBR_BYTES);
}

struct core_rig_sq core_rig_make_sq(struct core_rig *r, unsigned log_n, uint32_t cqn)
{
	enum { LOG_WQEBB = 6 };
	struct core_rig_sq sq = { .n = 1u << log_n };
	const size_t bytes = queue_bytes((size_t)sq.n << LOG_WQEBB);
	struct prm_create_sq_in in = { 0 };
	struct prm_create_sq_out out;
	struct prm_sqc *sqc = prm_sub(&in, ctx);

	sq.ring = core_rig_alloc(r, bytes);
	sq.dbr = (prm_be32 *)(sq.ring + bytes - CORE_RIG_DBR_BYTES);
	sq.umem = core_rig_make_umem(r, sq.ring, bytes, false);
	prm_set(&in, uid, r->uid);
	prm_set(sqc, flush_in_error_en, 1);
	prm_set(sqc, allow_multi_pkt_send_wqe, 1);
	prm_set(sqc, ts_format, r->ts_format);
	prm_set(sqc, cqn, cqn);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, r->tis);
	fill_wq(r, prm_sub(sqc, wq), sq.umem, bytes, log_n, LOG_WQEBB);
	prm_set(prm_sub(sqc, wq), uar_page, r->uar);
	CORE_RIG_OK(r, create_sq, &in, &out);
	sq.sqn = (uint32_t)prm_get(&out, sqn);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_sq(r, sq.sqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	return sq;
}

void core_rig_ring_sq(struct core_rig *r, struct core_rig_sq *sq, const void *ctrl)
{
	uint64_t word;

	memcpy(&word, ctrl, sizeof(word));
	__atomic_store_n(&sq->dbr[PRM_DBR_SND].raw, prm_be32_of(sq->pi).raw, __ATOMIC_RELEASE);
	__atomic_store_n(&r->uar_page[PRM_UAR_BF / sizeof(word)], word, __ATOMIC_SEQ_CST);
}

struct core_rig_rq core_rig_make_rq(struct core_rig *r, unsigned log_n, unsigned log_sges,
				    uint32_t cqn)
{
	enum { LOG_SEGMENT = 4 };
	struct core_rig_rq rq = { .n = 1u << log_n, .stride = 1u << (LOG_SEGMENT + log_sges) };
	const size_t bytes = queue_bytes((size_t)rq.n * rq.stride);
	struct prm_create_rq_in in = { 0 };
	struct prm_create_rq_out out;
	struct prm_rqc *rqc = prm_sub(&in, ctx);

	rq.ring = core_rig_alloc(r, bytes);
	rq.dbr = (prm_be32 *)(rq.ring + bytes - CORE_RIG_DBR_BYTES);
	rq.umem = core_rig_make_umem(r, rq.ring, bytes, false);
	prm_set(&in, uid, r->uid);
	prm_set(rqc, flush_in_error_en, 1);
	prm_set(rqc, vsd, 1);
	prm_set(rqc, ts_format, r->ts_format);
	prm_set(rqc, cqn, cqn);
	fill_wq(r, prm_sub(rqc, wq), rq.umem, bytes, log_n, LOG_SEGMENT + log_sges);
	CORE_RIG_OK(r, create_rq, &in, &out);
	rq.rqn = (uint32_t)prm_get(&out, rqn);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_rq(r, rq.rqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	return rq;
}

uint8_t core_rig_modify_sq(struct core_rig *r, uint32_t sqn, uint8_t from, uint8_t to)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, sqn, sqn);
	prm_set(&in, sq_state, from);
	prm_set(prm_sub(&in, ctx), state, to);
	return CORE_RIG_EXEC(r, modify_sq, &in, &out);
}

uint8_t core_rig_modify_rq(struct core_rig *r, uint32_t rqn, uint8_t from, uint8_t to)
{
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, rqn, rqn);
	prm_set(&in, rq_state, from);
	prm_set(prm_sub(&in, ctx), state, to);
	return CORE_RIG_EXEC(r, modify_rq, &in, &out);
}
