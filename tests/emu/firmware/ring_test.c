/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings that start in the middle of a page: in a umem, and in a list of pages.
 */
#include <string.h>

#include "core_rig_post.h"
#include "core_rig_qp.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/port.h"
#include "prm/cqe.h"
#include "prm/wqe.h"
#include "queue_commands.h"

#define BAD PRM_STATUS_BAD_PARAM

enum {
	N_PAGES = 5,
	UMEM_BYTES = N_PAGES * CORE_RIG_PAGE,
	ENTRY_BYTES = 64,
	N_ENTRIES = 64, /* LOG_CQES and LOG_WQES of queue_commands.h */
	RING_BYTES = N_ENTRIES * ENTRY_BYTES,
	/* offsets in the umem: every ring crosses the border between two pages */
	SQ = 0x40,
	SEND_CQ = SQ + RING_BYTES,
	RQ = SEND_CQ + RING_BYTES + 0x40,
	RECEIVE_CQ = RQ + RING_BYTES,
	RECORDS = RECEIVE_CQ + RING_BYTES,
	FRAME_BYTES = 64,
	BUFFER_BYTES = 128,
	CANARY = 0x5a,
};

/* One umem with four rings. Its pages are in reverse order in host memory. */
FIXTURE(ring)
{
	struct core_rig r;
	struct queue_commands good;
	uint8_t *pages;
	uint32_t umem;
};

static uint32_t make_reversed_umem(struct core_rig *r, const uint8_t *pages, uint32_t page_offset)
{
	struct {
		struct prm_create_umem_in head;
		struct prm_mtt mtt[N_PAGES];
	} in = { 0 };
	struct prm_create_umem_out out;

	prm_set(&in.head, uid, r->uid);
	prm_set(prm_sub(&in.head, umem), num_of_mtt, N_PAGES);
	prm_set(prm_sub(&in.head, umem), page_offset, page_offset);
	for (unsigned i = 0; i < N_PAGES; i++) {
		const uint64_t at = (uintptr_t)pages + (N_PAGES - 1 - i) * CORE_RIG_PAGE;

		prm_set(&in.mtt[i], ptag_63_32, at >> 32);
		prm_set(&in.mtt[i], ptag_31_8, (at & UINT32_MAX) >> 8);
		prm_set(&in.mtt[i], rd_en, 1);
		prm_set(&in.mtt[i], wr_en, 1);
	}
	core_rig_expect_ok(
		__FILE__, __LINE__, r, "create_umem",
		core_rig_exec(r, PRM_OP_create_umem, &in, sizeof(in), &out, sizeof(out)));
	return (uint32_t)prm_get(&out, umem_id);
}

FIXTURE_SETUP(ring)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop" });
	queue_commands_fill(&self->r, &self->good);
	self->pages = core_rig_alloc(&self->r, UMEM_BYTES);
	self->umem = make_reversed_umem(&self->r, self->pages, 0);
}

FIXTURE_TEARDOWN(ring)
{
	core_rig_close(&self->r);
}

/* Returns the host address of byte @offset of the umem. */
static void *locate_byte(const struct ct_fix_ring *self, uint32_t offset)
{
	const uint32_t page = N_PAGES - 1 - offset / CORE_RIG_PAGE;

	return self->pages + page * CORE_RIG_PAGE + offset % CORE_RIG_PAGE;
}

static prm_be32 *locate_record(const struct ct_fix_ring *self, unsigned queue)
{
	return locate_byte(self, RECORDS + queue * CORE_RIG_DBR_BYTES);
}

static uint32_t make_cq_at(struct ct_fix_ring *self, uint32_t offset, unsigned record)
{
	struct prm_create_cq_in in = self->good.cq_in;
	struct prm_create_cq_out out;

	prm_set(&in, cq_umem_id, self->umem);
	prm_set(&in, cq_umem_offset, offset);
	prm_set(prm_sub(&in, cq_context), dbr_umem_id, self->umem);
	prm_set(prm_sub(&in, cq_context), dbr_addr, RECORDS + record * CORE_RIG_DBR_BYTES);
	for (unsigned i = 0; i < N_ENTRIES; i++)
		((struct prm_cqe *)locate_byte(self, offset + i * ENTRY_BYTES))->op_own =
			PRM_CQE_INIT_OP_OWN;
	CORE_RIG_OK(&self->r, create_cq, &in, &out);
	return (uint32_t)prm_get(&out, cqn);
}

static void place_wq(const struct ct_fix_ring *self, struct prm_wq *wq, uint32_t offset,
		     unsigned record)
{
	prm_set(wq, wq_umem_id, self->umem);
	prm_set(wq, wq_umem_offset, offset);
	prm_set(wq, dbr_umem_id, self->umem);
	prm_set(wq, dbr_addr, RECORDS + record * CORE_RIG_DBR_BYTES);
}

static uint32_t make_sq(struct ct_fix_ring *self, uint32_t cqn, unsigned record)
{
	struct prm_create_sq_in in = self->good.sq_in;
	struct prm_create_sq_out out;

	prm_set(prm_sub(&in, ctx), cqn, cqn);
	place_wq(self, prm_sub(prm_sub(&in, ctx), wq), SQ, record);
	CORE_RIG_OK(&self->r, create_sq, &in, &out);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_sq(&self->r, (uint32_t)prm_get(&out, sqn),
						    PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	return (uint32_t)prm_get(&out, sqn);
}

static void make_receiver(struct ct_fix_ring *self, uint32_t cqn, unsigned record)
{
	struct prm_create_rq_in in = self->good.rq_in;
	struct prm_create_rq_out out;
	uint32_t rqn;

	prm_set(prm_sub(&in, ctx), cqn, cqn);
	place_wq(self, prm_sub(prm_sub(&in, ctx), wq), RQ, record);
	CORE_RIG_OK(&self->r, create_rq, &in, &out);
	rqn = (uint32_t)prm_get(&out, rqn);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_rq(&self->r, rqn, PRM_WQ_STATE_RST, PRM_WQ_STATE_RDY));
	core_rig_steer_all(&self->r, core_rig_make_tir(&self->r, rqn));
}

/* Gives every WQE of the RQ one buffer; returns the buffers. */
static uint8_t *post_buffers(struct ct_fix_ring *self, unsigned record)
{
	uint8_t *buffers = core_rig_alloc(&self->r, N_ENTRIES * BUFFER_BYTES);
	const uint32_t lkey = core_rig_make_mkey(&self->r, buffers, N_ENTRIES * BUFFER_BYTES, true);

	for (unsigned i = 0; i < N_ENTRIES; i++) {
		struct prm_data_seg *seg = locate_byte(self, RQ + i * ENTRY_BYTES);

		seg->byte_count = prm_be32_of(BUFFER_BYTES);
		seg->lkey = prm_be32_of(lkey);
		seg->addr = prm_be64_of((uintptr_t)buffers + i * BUFFER_BYTES);
		seg[1].lkey = prm_be32_of(PRM_LKEY_INVALID);
	}
	locate_record(self, record)[PRM_DBR_RCV] = prm_be32_of(N_ENTRIES);
	return buffers;
}

/* Expects CQE number @i of the CQ at @offset, with @opcode, and counts it as consumed. */
static const struct prm_cqe *expect_cqe(struct ct_fix_ring *self, uint32_t offset, unsigned record,
					unsigned i, uint8_t opcode)
{
	const struct prm_cqe *cqe = locate_byte(self, offset + i % N_ENTRIES * ENTRY_BYTES);

	EXPECT_EQ(i / N_ENTRIES & 1, cqe->op_own & PRM_CQE_OWNER);
	EXPECT_EQ(opcode, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(i, prm_be16_get(cqe->wqe_counter));
	locate_record(self, record)[PRM_DBR_CQ_CI] = prm_be32_of(i + 1);
	return cqe;
}

/* Each frame takes one entry of each of the four rings; the test uses every entry twice. */
TEST_F(ring, four_rings_off_the_page_in_one_umem_carry_frames)
{
	enum { SQ_RECORD, SEND_CQ_RECORD, RQ_RECORD, RECEIVE_CQ_RECORD };
	struct core_rig *r = &self->r;
	uint8_t *frame = core_rig_alloc(r, FRAME_BYTES), *buffers;
	const uint32_t lkey = core_rig_make_mkey(r, frame, FRAME_BYTES, false);
	struct core_rig_sq sq = { .n = 1, .dbr = locate_record(self, SQ_RECORD) };

	memset(locate_byte(self, SQ - 0x40), CANARY, 0x40);
	memset(locate_byte(self, RQ - 0x40), CANARY, 0x40);
	sq.sqn = make_sq(self, make_cq_at(self, SEND_CQ, SEND_CQ_RECORD), SQ_RECORD);
	make_receiver(self, make_cq_at(self, RECEIVE_CQ, RECEIVE_CQ_RECORD), RQ_RECORD);
	buffers = post_buffers(self, RQ_RECORD);
	for (unsigned i = 0; i < 2 * N_ENTRIES; i++) {
		SCOPED_TRACE("frame %u", i);
		memset(frame, (int)i, FRAME_BYTES);
		memcpy(frame, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
		sq.ring = locate_byte(self, SQ + i % N_ENTRIES * ENTRY_BYTES);
		core_rig_post_send(r, &sq, lkey, frame, FRAME_BYTES);
		emu_poll(r->emu, 16);
		expect_cqe(self, SEND_CQ, SEND_CQ_RECORD, i, PRM_CQE_REQ);
		EXPECT_EQ(FRAME_BYTES, prm_be32_get(expect_cqe(self, RECEIVE_CQ, RECEIVE_CQ_RECORD,
							       i, PRM_CQE_RESP_SEND)
							    ->byte_cnt));
		EXPECT_MEMEQ(frame, buffers + i % N_ENTRIES * BUFFER_BYTES, FRAME_BYTES);
		locate_record(self, RQ_RECORD)[PRM_DBR_RCV] = prm_be32_of(N_ENTRIES + i + 1);
	}
	for (unsigned i = 0; i < 0x40; i++) {
		EXPECT_EQ(CANARY, ((uint8_t *)locate_byte(self, SQ - 0x40))[i]);
		EXPECT_EQ(CANARY, ((uint8_t *)locate_byte(self, RQ - 0x40))[i]);
	}
	EXPECT_EQ(0, core_rig_count_mistakes(r));
}

/* Pairs of umem offset and syndrome. A ring of one page fits up to BYTES - CORE_RIG_PAGE. */
static const uint64_t bad_offsets[][2] = {
	{ 32, EMU_SYND_PAGE },
	{ CORE_RIG_PAGE + 8, EMU_SYND_PAGE },
	{ BYTES - CORE_RIG_PAGE + 64, EMU_SYND_UMEM_RANGE },
	{ UINT64_MAX - 63, EMU_SYND_UMEM_RANGE },
};

static void expect_bad_offsets(struct core_rig *r, uint16_t opcode, const char *field,
			       const void *good, size_t bytes)
{
	for (size_t i = 0; i < sizeof(bad_offsets) / sizeof(bad_offsets[0]); i++) {
		const struct core_rig_refusal bad = { field, field, bad_offsets[i][0], BAD,
						      (uint32_t)bad_offsets[i][1] };

		SCOPED_TRACE("offset 0x%llx", (unsigned long long)bad.value);
		core_rig_expect_refusal(r, &bad, opcode, good, bytes);
	}
}

/* Fills a CREATE_RMP for a ring of one page in @umem; the kernel (uid 0) alone may send it. */
static struct prm_create_rmp_in make_rmp_command(const struct core_rig *r, uint32_t umem)
{
	struct prm_create_rmp_in in = { 0 };
	struct prm_wq *wq = prm_sub(prm_sub(&in, ctx), wq);

	prm_set(wq, pd, r->pd);
	prm_set(wq, wq_umem_valid, 1);
	prm_set(wq, wq_umem_id, umem);
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, dbr_umem_id, umem);
	prm_set(wq, log_wq_stride, 6);
	prm_set(wq, log_wq_sz, LOG_WQES);
	return in;
}

TEST_F(ring, queue_refuses_a_umem_offset_that_is_not_a_multiple_of_64_or_does_not_fit)
{
	struct core_rig *r = &self->r;
	const struct prm_create_rmp_in rmp = make_rmp_command(r, self->good.umem);

	expect_bad_offsets(r, PRM_OP_create_cq, "cq_umem_offset", &self->good.cq_in,
			   sizeof(self->good.cq_in));
	expect_bad_offsets(r, PRM_OP_create_sq, "ctx.wq.wq_umem_offset", &self->good.sq_in,
			   sizeof(self->good.sq_in));
	expect_bad_offsets(r, PRM_OP_create_rq, "ctx.wq.wq_umem_offset", &self->good.rq_in,
			   sizeof(self->good.rq_in));
	expect_bad_offsets(r, PRM_OP_create_rmp, "ctx.wq.wq_umem_offset", &rmp, sizeof(rmp));
	queue_commands_expect_unused(r, &self->good);
}

TEST_F(ring, strict_device_refuses_offsets_inside_a_page_of_the_umem)
{
	static const struct core_rig_refusal bad = { "in_a_page", "cq_umem_offset",
						     CORE_RIG_PAGE / 2, BAD, EMU_SYND_PAGE };
	struct core_rig *r = &self->r;
	struct prm_create_cq_in in = self->good.cq_in;
	struct prm_create_cq_out out;

	prm_set(&in, cq_umem_id, self->umem);
	prm_set(&in, cq_umem_offset, bad.value);
	CORE_RIG_OK(r, create_cq, &in, &out);
	EXPECT_EQ(0, emu_set_option(r->adapter, "umem_strict", 1));
	core_rig_expect_refusal(r, &bad, PRM_OP_create_cq, &in, sizeof(in));
	prm_set(&in, cq_umem_offset, CORE_RIG_PAGE);
	CORE_RIG_OK(r, create_cq, &in, &out);
}

/* cq_umem_offset is 2^64 - 64 and page_offset adds 64 bytes: their sum wraps to 0. */
TEST_F(ring, queue_refuses_offsets_whose_sum_overflows)
{
	const struct core_rig_refusal bad = { "overflow", "cq_umem_offset", UINT64_MAX - 63, BAD,
					      EMU_SYND_UMEM_RANGE };

	prm_set(prm_sub(&self->good.cq_in, cq_context), page_offset, 1);
	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
}

TEST_F(ring, queue_refuses_a_umem_that_does_not_start_at_a_multiple_of_64)
{
	const struct core_rig_refusal bad = {
		"page_offset_32", "cq_umem_id", make_reversed_umem(&self->r, self->pages, 32), BAD,
		EMU_SYND_PAGE,
	};

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
}

/* Such a doorbell record could cross the end of a page, and atomic accesses need alignment. */
TEST_F(ring, record_is_refused_in_a_umem_that_does_not_start_at_a_multiple_of_8)
{
	const struct core_rig_refusal bad = {
		"page_offset_4",
		"cq_context.dbr_umem_id",
		make_reversed_umem(&self->r, self->pages, 4),
		BAD,
		EMU_SYND_PAGE,
	};

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
	queue_commands_expect_unused(&self->r, &self->good);
}

TEST_F(ring, rmp_accepts_a_umem_offset_off_the_page)
{
	struct prm_create_rmp_in in = make_rmp_command(&self->r, self->umem);
	struct prm_create_rmp_out out;

	prm_set(prm_sub(prm_sub(&in, ctx), wq), wq_umem_offset, RQ);
	CORE_RIG_OK(&self->r, create_rmp, &in, &out);
}

TEST_F(ring, eq_writes_its_first_event_at_page_offset)
{
	enum { PAGE_OFFSET = 33, LOG_EQES = 6 };
	struct {
		struct prm_create_eq_in head;
		prm_be64 page[2];
	} in = { 0 };
	struct prm_create_eq_out out;
	struct prm_eqc *eqc = prm_sub(&in.head, eq_context_entry);
	const struct prm_eqe *eqe = (const struct prm_eqe *)self->pages + PAGE_OFFSET;
	struct emu_link link;

	prm_set(eqc, log_eq_size, LOG_EQES);
	prm_set(eqc, page_offset, PAGE_OFFSET);
	prm_set(eqc, uar_page, self->r.uar);
	prm_set_at(&in.head, event_bitmask, 0, 1 << PRM_EVENT_PORT_CHANGE);
	for (unsigned i = 0; i < 2; i++)
		in.page[i] = prm_be64_of((uintptr_t)self->pages + i * CORE_RIG_PAGE);
	ASSERT_TRUE(core_rig_expect_ok(
		__FILE__, __LINE__, &self->r, "create_eq",
		core_rig_exec(&self->r, PRM_OP_create_eq, &in, sizeof(in), &out, sizeof(out))));
	emu_get_link(self->r.emu, &link);
	link.up = false;
	emu_set_link(self->r.emu, &link);
	EXPECT_EQ(PRM_EVENT_PORT_CHANGE, eqe->type);
	EXPECT_EQ(0, eqe[-1].type);
}
