/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_refuse.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/link.h"

enum { LOG_CQES = 6, LOG_WQES = 6, RING = CORE_RIG_PAGE, BYTES = 2 * CORE_RIG_PAGE };

/*
 * Good mailboxes of each queue, to be spoiled one field at a time. Rings of one page at the
 * start of a umem of two; the record at the start of the second.
 */
FIXTURE(queue) {
	struct core_rig r;
	uint32_t umem, read_only;
	struct core_rig_cq cq;
	struct prm_create_cq_in cq_in;
	struct prm_create_sq_in sq_in;
	struct prm_create_rq_in rq_in;
};

static void fill_wq(struct prm_wq *wq, uint32_t pd, uint32_t umem)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, pd);
	prm_set(wq, log_wq_sz, LOG_WQES);
	prm_set(wq, log_wq_stride, 6);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_id, umem);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_umem_id, umem);
	prm_set(wq, dbr_addr, RING);
}

FIXTURE_SETUP(queue)
{
	struct core_rig *r = &self->r;
	struct prm_cqc *cqc = prm_sub(&self->cq_in, cq_context);
	struct prm_sqc *sqc = prm_sub(&self->sq_in, ctx);
	struct prm_rqc *rqc = prm_sub(&self->rq_in, ctx);

	core_rig_open(r, &(struct core_rig_config){ 0 });
	self->umem = core_rig_make_umem(r, core_rig_alloc(r, BYTES), BYTES, true);
	self->read_only = core_rig_make_umem(r, core_rig_alloc(r, BYTES), BYTES, false);
	self->cq = core_rig_make_cq(r, 4);
	prm_set(&self->cq_in, uid, r->uid);
	prm_set(&self->cq_in, cq_umem_valid, 1);
	prm_set(&self->cq_in, cq_umem_id, self->umem);
	prm_set(cqc, log_cq_size, LOG_CQES);
	prm_set(cqc, uar_page, r->uar);
	prm_set(cqc, c_eqn_or_apu_element, r->eqn);
	prm_set(cqc, dbr_umem_valid, 1);
	prm_set(cqc, dbr_umem_id, self->umem);
	prm_set(cqc, dbr_addr, RING);
	prm_set(&self->sq_in, uid, r->uid);
	prm_set(sqc, cqn, self->cq.cqn);
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, r->tis);
	fill_wq(prm_sub(sqc, wq), r->pd, self->read_only);
	prm_set(prm_sub(sqc, wq), uar_page, r->uar);
	prm_set(&self->rq_in, uid, r->uid);
	prm_set(rqc, vsd, 1);
	prm_set(rqc, cqn, self->cq.cqn);
	fill_wq(prm_sub(rqc, wq), r->pd, self->read_only);
}

FIXTURE_TEARDOWN(queue)
{
	/* what was refused holds nothing */
	EXPECT_EQ(0,
		  ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_UMEM], self->umem))->refs);
	EXPECT_EQ(0, ((struct emu_obj *)emu_obj_at(&self->r.emu->table[EMU_UMEM], self->read_only))
			     ->refs);
	core_rig_close(&self->r);
}

static uint8_t destroy_object(struct core_rig *r, uint16_t opcode, const char *field, uint32_t id)
{
	prm_be32 in[4] = {0}, out[4];

	core_rig_set_field(in, opcode, field, id);
	return core_rig_exec(r, opcode, in, sizeof(in), out, sizeof(out));
}

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

static const struct core_rig_refusal bad_cqs[] = {
	{ "too_large", "cq_context.log_cq_size", 23, BAD, EMU_SYND_SIZE },
	{ "larger_than_its_umem", "cq_context.log_cq_size", LOG_CQES + 2, BAD,
	  EMU_SYND_UMEM_RANGE },
	{ "cqe_of_256_bytes", "cq_context.cqe_sz", 2, BAD, EMU_SYND_TYPE },
	{ "mini_cqes_of_stride_index", "cq_context.mini_cqe_res_format", 3, BAD, EMU_SYND_TYPE },
	{ "no_uar", "cq_context.uar_page", 1, GONE },
	{ "no_eq", "cq_context.c_eqn_or_apu_element", 3, GONE },
	{ "no_umem", "cq_umem_id", 1, GONE },
	{ "ring_outside", "cq_umem_offset", BYTES, BAD, EMU_SYND_UMEM_RANGE },
	{ "ring_far_outside", "cq_umem_offset", UINT64_MAX - (CORE_RIG_PAGE - 1), BAD,
	  EMU_SYND_UMEM_RANGE },
	{ "ring_off_the_page", "cq_umem_offset", 64, BAD, EMU_SYND_PAGE },
	{ "page_larger_than_the_umems", "cq_context.log_page_size", 1, BAD, EMU_SYND_PAGE },
	{ "record_outside", "cq_context.dbr_addr", BYTES, BAD, EMU_SYND_UMEM_RANGE },
	{ "record_not_aligned", "cq_context.dbr_addr", RING + 4, BAD, EMU_SYND_PAGE },
	{ "no_umem_of_the_record", "cq_context.dbr_umem_id", 1, GONE },
	{ "physical_ring_without_pages", "cq_umem_valid", 0, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_PAGE },
};

TEST_F(queue, a_bad_cq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_cqs, PRM_OP_create_cq, self->cq_in);
}

TEST_F(queue, a_cq_needs_memory_that_the_device_may_write)
{
	const struct core_rig_refusal bad = { "read_only", "cq_umem_id", self->read_only, BAD,
					      EMU_SYND_UMEM_ACCESS };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->cq_in,
				sizeof(self->cq_in));
}

static uint32_t make_async_eq(struct core_rig *r)
{
	struct { struct prm_create_eq_in head; prm_be32 pas[2]; } in = {0};
	struct prm_create_eq_out out;
	const uint64_t ring = (uintptr_t)core_rig_alloc(r, CORE_RIG_PAGE);

	prm_set(prm_sub(&in.head, eq_context_entry), log_eq_size, 6);
	prm_set(prm_sub(&in.head, eq_context_entry), uar_page, r->uar);
	prm_set(prm_sub(&in.head, eq_context_entry), intr, 1);
	prm_set_at(&in.head, event_bitmask, 0, 1 << PRM_EVENT_PORT_CHANGE);
	in.pas[0] = prm_be32_of((uint32_t)(ring >> 32));
	in.pas[1] = prm_be32_of((uint32_t)ring);
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_eq",
			   core_rig_exec(r, PRM_OP_create_eq, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(&out, eq_number);
}

TEST_F(queue, a_cq_needs_a_completion_eq)
{
	const struct core_rig_refusal bad = { "async_eq", "cq_context.c_eqn_or_apu_element",
					      make_async_eq(&self->r), BAD,
					      EMU_SYND_NOT_COMPLETION_EQ };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->cq_in,
				sizeof(self->cq_in));
}

TEST_F(queue, an_eq_hears_of_the_link)
{
	struct emu_link link;

	make_async_eq(&self->r);
	emu_get_link(self->r.emu, &link);
	emu_set_link(self->r.emu, &link);
	EXPECT_EQ(0, self->r.irqs[1]);
	link.up = false;
	emu_set_link(self->r.emu, &link);
	EXPECT_EQ(1, self->r.irqs[1]);
}

TEST_F(queue, an_eq_of_unknown_events_is_refused)
{
	struct { struct prm_create_eq_in head; prm_be32 pas[2]; } in = {0};
	const struct core_rig_refusal bad = { "unknown_event", "event_bitmask", 1ull << 63, BAD,
					      EMU_SYND_EQ_EVENT };

	prm_set(prm_sub(&in.head, eq_context_entry), log_eq_size, 6);
	prm_set(prm_sub(&in.head, eq_context_entry), uar_page, self->r.uar);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_eq, &in, sizeof(in));
}

TEST_F(queue, a_cq_is_queried_as_it_is)
{
	struct prm_create_cq_out made;
	struct prm_modify_cq_in change = {0};
	struct prm_modify_cq_out changed;
	struct prm_query_cq_in in = {0};
	struct prm_query_cq_out out;
	struct prm_cqc want = *prm_sub(&self->cq_in, cq_context);

	CORE_RIG_OK(&self->r, create_cq, &self->cq_in, &made);
	prm_set(&change, cqn, prm_get(&made, cqn));
	core_rig_set_field(
		&change, PRM_OP_modify_cq,
		"modify_field_select_resize_field_select.modify_field_select.modify_field_select",
		1 << 2);
	prm_set(prm_sub(&change, cq_context), oi, 1);
	CORE_RIG_OK(&self->r, modify_cq, &change, &changed);
	prm_set(&want, oi, 1);
	prm_set(&in, cqn, prm_get(&made, cqn));
	CORE_RIG_OK(&self->r, query_cq, &in, &out);
	EXPECT_MEMEQ(&want, prm_sub(&out, cq_context), sizeof(want));
	EXPECT_EQ(PRM_STATUS_OK, destroy_object(&self->r, PRM_OP_destroy_cq, "cqn",
						(uint32_t)prm_get(&made, cqn)));
}

TEST_F(queue, of_the_kernel_lists_its_pages)
{
	struct { struct prm_create_cq_in head; prm_be32 pas[4]; } in = { .head = self->cq_in };
	const uint64_t ring = (uintptr_t)core_rig_alloc(&self->r, BYTES);
	struct prm_create_cq_out out;
	const struct core_rig_refusal far = { "far_away", "cq_context.page_offset", 40,
					      PRM_STATUS_BAD_INP_LEN, EMU_SYND_PAGE };

	prm_set(&in.head, uid, 0);
	prm_set(&in.head, cq_umem_valid, 0);
	prm_set(&in.head, cq_umem_id, 0);
	prm_set(prm_sub(&in.head, cq_context), dbr_umem_valid, 0);
	prm_set(prm_sub(&in.head, cq_context), dbr_umem_id, 0);
	prm_set(prm_sub(&in.head, cq_context), dbr_addr, ring + RING);
	in.pas[0] = prm_be32_of((uint32_t)(ring >> 32));
	in.pas[1] = prm_be32_of((uint32_t)ring);
	core_rig_expect_ok(__FILE__, __LINE__, &self->r, "create_cq",
			   core_rig_exec(&self->r, PRM_OP_create_cq, &in, sizeof(in.head) + 8, &out,
					 sizeof(out)));
	EXPECT_EQ((void *)(uintptr_t)ring,
		  emu_span_ptr(&((struct emu_cq *)emu_obj_at(&self->r.emu->table[EMU_CQ],
							     (uint32_t)prm_get(&out, cqn)))
					->ring,
			       0));
	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN,
		  core_rig_exec(&self->r, PRM_OP_create_cq, &in, sizeof(in), &out, sizeof(out)));
	core_rig_expect_refusal(&self->r, &far, PRM_OP_create_cq, &in, sizeof(in.head) + 8);
}

static const struct core_rig_refusal bad_sqs[] = {
	{ "created_ready", "ctx.state", PRM_WQ_STATE_RDY, BAD, EMU_SYND_STATE },
	{ "real_time_stamps", "ctx.ts_format", 2, BAD, EMU_SYND_SQ_TS_FORMAT },
	{ "inline_of_tunnels", "ctx.min_wqe_inline_mode", 4, BAD, EMU_SYND_TYPE },
	{ "without_tis", "ctx.tis_lst_sz", 0, BAD, EMU_SYND_SIZE },
	{ "two_tis", "ctx.tis_lst_sz", 2, BAD, EMU_SYND_SIZE },
	{ "no_tis", "ctx.tis_num_0", 1, GONE },
	{ "no_cq", "ctx.cqn", 1, GONE },
	{ "no_pd", "ctx.wq.pd", 1, GONE },
	{ "no_uar", "ctx.wq.uar_page", 1, GONE },
	{ "linked_list", "ctx.wq.wq_type", 0, BAD, EMU_SYND_TYPE },
	{ "stride", "ctx.wq.log_wq_stride", 4, BAD, EMU_SYND_SIZE },
	{ "too_large", "ctx.wq.log_wq_sz", 16, BAD, EMU_SYND_SIZE },
	{ "larger_than_its_umem", "ctx.wq.log_wq_sz", LOG_WQES + 2, BAD, EMU_SYND_UMEM_RANGE },
	{ "host_page_size", "ctx.wq.log_wq_pg_sz", 12, BAD, EMU_SYND_PAGE },
	{ "off_the_page", "ctx.wq.wq_umem_offset", 64, BAD, EMU_SYND_PAGE },
	{ "record_outside", "ctx.wq.dbr_addr", BYTES, BAD, EMU_SYND_UMEM_RANGE },
};

TEST_F(queue, a_bad_sq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_sqs, PRM_OP_create_sq, self->sq_in);
}

TEST_F(queue, an_sq_of_a_user_without_raw_tx_is_refused)
{
	struct emu_uctx *uctx = emu_obj_at(&self->r.emu->table[EMU_UCTX], self->r.uid);
	const struct core_rig_refusal bad = { "no_raw_tx", "ctx.user_index", 0, BAD,
					      EMU_SYND_RAW_TX };

	uctx->cap = 0;
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_sq, &self->sq_in,
				sizeof(self->sq_in));
}

static const struct core_rig_refusal bad_rqs[] = {
	{ "created_ready", "ctx.state", PRM_WQ_STATE_RDY, BAD, EMU_SYND_STATE },
	{ "real_time_stamps", "ctx.ts_format", 2, BAD, EMU_SYND_RQ_TS_FORMAT },
	{ "rmp", "ctx.mem_rq_type", 1, BAD, EMU_SYND_TYPE },
	{ "striding", "ctx.wq.wq_type", 3, BAD, EMU_SYND_TYPE },
	{ "stride_below_a_segment", "ctx.wq.log_wq_stride", 3, BAD, EMU_SYND_SIZE },
	{ "stride_too_large", "ctx.wq.log_wq_stride", 10, BAD, EMU_SYND_SIZE },
	{ "no_cq", "ctx.cqn", 1, GONE },
	{ "no_counter", "ctx.counter_set_id", 1, GONE },
	{ "no_umem", "ctx.wq.wq_umem_id", 1, GONE },
};

TEST_F(queue, a_bad_rq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_rqs, PRM_OP_create_rq, self->rq_in);
}

/* ---- states ------------------------------------------------------------------------ */

static const struct move { uint8_t from, to, status; uint32_t syndrome; } moves[] = {
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_ERR, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RST, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_BAD_RES_STATE, EMU_SYND_STATE },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, 2, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RDY, PRM_STATUS_BAD_RES_STATE, EMU_SYND_TRANSITION },
	{ PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY, PRM_STATUS_OK, 0 },
	{ PRM_WQ_STATE_RDY, PRM_WQ_STATE_RST, PRM_STATUS_OK, 0 },
};

TEST_F(queue, states_change_as_drawn)
{
	struct prm_create_sq_out sq;
	struct prm_create_rq_out rq;
	uint32_t sqn, rqn;

	CORE_RIG_OK(&self->r, create_sq, &self->sq_in, &sq);
	CORE_RIG_OK(&self->r, create_rq, &self->rq_in, &rq);
	sqn = (uint32_t)prm_get(&sq, sqn);
	rqn = (uint32_t)prm_get(&rq, rqn);
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		SCOPED_TRACE("move %zu: %u to %u", i, moves[i].from, moves[i].to);
		EXPECT_EQ(moves[i].status,
			  core_rig_modify_sq(&self->r, sqn, moves[i].from, moves[i].to));
		EXPECT_EQ(moves[i].syndrome, core_rig_get_syndrome(&self->r));
		EXPECT_EQ(moves[i].status,
			  core_rig_modify_rq(&self->r, rqn, moves[i].from, moves[i].to));
		EXPECT_EQ(moves[i].syndrome, core_rig_get_syndrome(&self->r));
	}
	EXPECT_EQ(PRM_STATUS_OK, destroy_object(&self->r, PRM_OP_destroy_sq, "sqn", sqn));
	EXPECT_EQ(PRM_STATUS_OK, destroy_object(&self->r, PRM_OP_destroy_rq, "rqn", rqn));
}

TEST_F(queue, an_rq_takes_new_fields_on_the_way_to_ready)
{
	enum {
		VSD = PRM_MODIFY_RQ_BITMASK_VSD,
		SCATTER_FCS = PRM_MODIFY_RQ_BITMASK_SCATTER_FCS,
		LWM = PRM_MODIFY_RQ_BITMASK_WQ_LWM,
	};
	struct core_rig_rq rq = core_rig_make_rq(&self->r, 4, 0, self->cq.cqn);
	struct prm_modify_rq_in in = {0};
	struct prm_modify_rq_out out;
	const struct core_rig_refusal lwm = { "lwm", "modify_bitmask", LWM, BAD, EMU_SYND_BITMASK };
	struct prm_query_rq_in ask = {0};
	struct prm_query_rq_out told;

	prm_set(&in, rqn, rq.rqn);
	prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, VSD | SCATTER_FCS);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), scatter_fcs, 1);
	CORE_RIG_OK(&self->r, modify_rq, &in, &out);
	prm_set(&ask, rqn, rq.rqn);
	CORE_RIG_OK(&self->r, query_rq, &ask, &told);
	EXPECT_EQ(0, prm_get(prm_sub(&told, rq_context), vsd));
	EXPECT_EQ(1, prm_get(prm_sub(&told, rq_context), scatter_fcs));
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&told, rq_context), state));
	core_rig_expect_refusal(&self->r, &lwm, PRM_OP_modify_rq, &in, sizeof(in));
	prm_set(&in, modify_bitmask, VSD);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_ERR);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, CORE_RIG_EXEC(&self->r, modify_rq, &in, &out));
}

TEST_F(queue, an_sq_tells_its_state_and_has_nothing_to_modify)
{
	struct core_rig_sq sq = core_rig_make_sq(&self->r, 4, self->cq.cqn);
	struct prm_modify_sq_in in = {0};
	const struct core_rig_refusal bad = { "any_field", "modify_bitmask", 1, BAD,
					      EMU_SYND_BITMASK };
	struct prm_query_sq_in ask = {0};
	struct prm_query_sq_out told;

	prm_set(&in, sqn, sq.sqn);
	prm_set(&in, sq_state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_modify_sq, &in, sizeof(in));
	prm_set(&ask, sqn, sq.sqn);
	CORE_RIG_OK(&self->r, query_sq, &ask, &told);
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&told, sq_context), state));
	EXPECT_EQ(self->cq.cqn, prm_get(prm_sub(&told, sq_context), cqn));
}
