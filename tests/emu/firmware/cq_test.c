/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/cq_ring.h"
#include "prm/cqe.h"
#include "prm/wqe.h"
#include "queue_commands.h"

#define BAD PRM_STATUS_BAD_PARAM
#define GONE PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT

FIXTURE(cq_command)
{
	struct core_rig r;
	struct queue_commands good;
};

FIXTURE_SETUP(cq_command)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	queue_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(cq_command)
{
	queue_commands_expect_unused(&self->r, &self->good);
	core_rig_close(&self->r);
}

static const struct core_rig_refusal bad_cqs[] = {
	{ "too_large", "cq_context.log_cq_size", 23, BAD, EMU_SYND_SIZE,
	  "log_cq_size: 23 is invalid (valid: 0 to 22)" },
	{ "larger_than_its_umem", "cq_context.log_cq_size", LOG_CQES + 2, BAD, EMU_SYND_UMEM_RANGE,
	  "0x4000 bytes at umem_offset 0x0 + page_offset 0x0 do not fit its umem (valid: up to "
	  "0x2000 " },
	{ "cqe_of_256_bytes", "cq_context.cqe_sz", 2, BAD, EMU_SYND_TYPE },
	{ "period_mode", "cq_context.cq_period_mode", 2, BAD, EMU_SYND_TYPE },
	{ "mini_cqes_of_flow_tag", "cq_context.mini_cqe_res_format", 2, BAD, EMU_SYND_NO_CAP },
	{ "no_uar", "cq_context.uar_page", 1, GONE },
	{ "no_eq", "cq_context.c_eqn_or_apu_element", 3, GONE },
	{ "no_umem", "cq_umem_id", 1, GONE, "cq_umem_id: no such umem 0x1 for uid 0x" },
	{ "ring_outside", "cq_umem_offset", BYTES, BAD, EMU_SYND_UMEM_RANGE,
	  "0x1000 bytes at umem_offset 0x2000 + page_offset 0x0 do not fit its umem (valid: up to "
	  "0x2000 " },
	{ "ring_far_outside", "cq_umem_offset", UINT64_MAX - (CORE_RIG_PAGE - 1), BAD,
	  EMU_SYND_UMEM_RANGE },
	{ "page_larger_than_the_umems", "cq_context.log_page_size", 1, BAD, EMU_SYND_PAGE,
	  "page size 1 << 13 bytes is invalid (valid: at most 1 << 12," },
	{ "record_outside", "cq_context.dbr_addr", BYTES, BAD, EMU_SYND_UMEM_RANGE,
	  "8 bytes at 0x2000 do not fit its umem (valid: up to 0x2000 " },
	{ "record_not_aligned", "cq_context.dbr_addr", RING + 4, BAD, EMU_SYND_PAGE,
	  "address 0x1004 is invalid (valid: multiples of 8 " },
	{ "no_umem_of_the_record", "cq_context.dbr_umem_id", 1, GONE },
	{ "physical_ring_without_pages", "cq_umem_valid", 0, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_PAGE },
};

TEST_F(cq_command, a_bad_cq_is_refused)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_cqs, PRM_OP_create_cq, self->good.cq_in);
}

static const struct mini_format {
	const char *name, *profile;
	uint8_t status, format;
} mini_formats[] = {
	{ "hash", "cx6dx", PRM_STATUS_OK, 0 },
	{ "checksum", "cx6dx", PRM_STATUS_OK, 1 },
	{ "stride_index", "cx6dx", PRM_STATUS_OK, 3 },
	{ "stride_index_without_capability", "cx6dx,mini_cqe_stride_index=0", BAD, 3 },
	{ "hash_without_compression", "small", PRM_STATUS_OK, 0 },
	{ "stride_index_without_compression", "small", BAD, 3 },
};

TEST_EACH(cq_create, takes_the_mini_cqe_formats_of_the_capabilities, struct mini_format,
	  mini_formats)
{
	struct prm_create_cq_out out;
	struct queue_commands good = { 0 };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->profile });
	queue_commands_fill(&r, &good);
	prm_set(prm_sub(&good.cq_in, cq_context), mini_cqe_res_format, row->format);
	EXPECT_EQ(row->status, core_rig_exec(&r, PRM_OP_create_cq, &good.cq_in, sizeof(good.cq_in),
					     &out, sizeof(out)));
	if (row->status != PRM_STATUS_OK)
		EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

TEST_F(cq_command, refusal_of_an_unknown_umem_names_the_field)
{
	const struct core_rig_refusal bad = { "record", "cq_context.dbr_umem_id", 1, GONE };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
	EXPECT_SUBSTR("dbr_umem_id: ", self->r.emu->detail);
}

TEST_F(cq_command, a_cq_needs_memory_that_the_device_may_write)
{
	const struct core_rig_refusal bad = { "read_only", "cq_umem_id", self->good.read_only, BAD,
					      EMU_SYND_UMEM_ACCESS };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
}

TEST_F(cq_command, a_cq_needs_a_completion_eq)
{
	const struct core_rig_refusal bad = { "async_eq", "cq_context.c_eqn_or_apu_element",
					      queue_commands_make_eq(&self->r,
								     1 << PRM_EVENT_PORT_CHANGE),
					      BAD, EMU_SYND_NOT_COMPLETION_EQ };

	core_rig_expect_refusal(&self->r, &bad, PRM_OP_create_cq, &self->good.cq_in,
				sizeof(self->good.cq_in));
}

TEST_F(cq_command, query_returns_the_context_with_its_changes)
{
	struct prm_create_cq_out made;
	struct prm_modify_cq_in change = { 0 };
	struct prm_modify_cq_out changed;
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out;
	struct prm_cqc want = *prm_sub(&self->good.cq_in, cq_context);

	CORE_RIG_OK(&self->r, create_cq, &self->good.cq_in, &made);
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
	EXPECT_EQ(PRM_STATUS_OK, queue_commands_destroy(&self->r, PRM_OP_destroy_cq, "cqn",
							(uint32_t)prm_get(&made, cqn)));
}

#define SELECT "modify_field_select_resize_field_select.modify_field_select.modify_field_select"

static const struct change {
	const char *name;
	uint32_t select;
	const char *field;
	uint64_t value;
} changes[] = {
	{ "period", PRM_MODIFY_CQ_SELECT_CQ_PERIOD, "cq_context.cq_period", 77 },
	{ "count", PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT, "cq_context.cq_max_count", 55 },
	{ "overrun_ignore", PRM_MODIFY_CQ_SELECT_OI, "cq_context.oi", 1 },
	{ "period_mode", PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE, "cq_context.cq_period_mode", 1 },
};

/* Each modification names the values of all fields, and selects one. */
TEST_F_EACH(cq_command, modify_changes_only_what_it_selects, struct change, changes)
{
	struct prm_create_cq_out made;
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out;
	struct prm_query_cq_in ask = { 0 };
	struct prm_query_cq_out told;
	struct prm_create_cq_in want = self->good.cq_in;

	CORE_RIG_OK(&self->r, create_cq, &self->good.cq_in, &made);
	prm_set(&in, cqn, prm_get(&made, cqn));
	FOR_EACH_ROW (other, changes)
		core_rig_set_field(&in, PRM_OP_modify_cq, other->field, other->value);
	core_rig_set_field(&in, PRM_OP_modify_cq, SELECT, row->select);
	CORE_RIG_OK(&self->r, modify_cq, &in, &out);
	core_rig_set_field(&want, PRM_OP_create_cq, row->field, row->value);
	prm_set(&ask, cqn, prm_get(&made, cqn));
	CORE_RIG_OK(&self->r, query_cq, &ask, &told);
	EXPECT_MEMEQ(prm_sub(&want, cq_context), prm_sub(&told, cq_context),
		     sizeof(struct prm_cqc));
	EXPECT_EQ(PRM_STATUS_OK, queue_commands_destroy(&self->r, PRM_OP_destroy_cq, "cqn",
							(uint32_t)prm_get(&made, cqn)));
}

TEST_F(cq_command, modify_refuses_a_resize_and_unknown_fields)
{
	struct {
		struct prm_modify_cq_in head;
		prm_be32 pas[2];
	} in = { 0 };
	static const struct core_rig_refusal resize = { "resize", "cq_context.oi", 0,
							PRM_STATUS_BAD_INP_LEN,
							EMU_SYND_UNMODELLED };
	static const struct core_rig_refusal unknown = { "unknown", SELECT, 1 << 5, BAD,
							 EMU_SYND_BITMASK };

	prm_set(&in.head, cqn, self->good.cq.cqn);
	core_rig_expect_refusal(&self->r, &resize, PRM_OP_modify_cq, &in, sizeof(in));
	core_rig_expect_refusal(&self->r, &unknown, PRM_OP_modify_cq, &in, sizeof(in.head));
}

TEST_F(cq_command, query_returns_both_counters)
{
	struct emu_cq *cq = emu_obj_at(&self->r.emu->table[EMU_CQ], self->good.cq.cqn);
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out;
	const struct prm_cqc *cqc = prm_sub(&out, cq_context);

	cq->pi = 0x1000007;
	cq->ci = 0x1000003;
	self->good.cq.dbr[PRM_DBR_CQ_CI] = prm_be32_of(0x1000005);
	prm_set(&in, cqn, self->good.cq.cqn);
	CORE_RIG_OK(&self->r, query_cq, &in, &out);
	EXPECT_EQ(7, prm_get(cqc, producer_counter));
	EXPECT_EQ(5, prm_get(cqc, consumer_counter));
}

TEST_F(cq_command, kernel_cq_may_list_its_pages)
{
	struct {
		struct prm_create_cq_in head;
		prm_be32 pas[4];
	} in = { .head = self->good.cq_in };
	const uint64_t ring = (uintptr_t)core_rig_alloc(&self->r, BYTES);
	struct prm_create_cq_out out;
	const struct core_rig_refusal far = {
		"far_away",
		"cq_context.page_offset",
		40,
		PRM_STATUS_BAD_INP_LEN,
		EMU_SYND_PAGE,
		"pas: lists 1 pages of 1 << 12 bytes (valid: 2 for this ring)"
	};

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
	/* each page of a list of two is aligned */
	prm_set(prm_sub(&in.head, cq_context), log_cq_size, LOG_CQES + 1);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t second = ring + CORE_RIG_PAGE;

		in.pas[1] = prm_be32_of((uint32_t)ring + (i ? 0 : 64));
		in.pas[2] = prm_be32_of((uint32_t)(second >> 32));
		in.pas[3] = prm_be32_of((uint32_t)second + (i ? 64 : 0));
		EXPECT_EQ(BAD, core_rig_exec(&self->r, PRM_OP_create_cq, &in, sizeof(in), &out,
					     sizeof(out)));
		EXPECT_EQ(EMU_SYND_PAGE, core_rig_get_syndrome(&self->r));
		EXPECT_SUBSTR(i ? "pas[1]: unaligned" : "pas[0]: unaligned", self->r.emu->detail);
	}
	in.pas[3] = prm_be32_of((uint32_t)(ring + CORE_RIG_PAGE));
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(&self->r, PRM_OP_create_cq, &in, sizeof(in), &out, sizeof(out)));
}
