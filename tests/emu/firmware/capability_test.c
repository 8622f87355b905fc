/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Emu accepts what it advertises: each capability of queues is taken away once, and each limit is
 * reached and exceeded by one.
 */
#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "queue_commands.h"

enum { OK = PRM_STATUS_OK, BAD = PRM_STATUS_BAD_PARAM };

FIXTURE(capability)
{
	struct core_rig r;
	struct queue_commands good;
};

FIXTURE_SETUP(capability)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	queue_commands_fill(&self->r, &self->good);
}

FIXTURE_TEARDOWN(capability)
{
	core_rig_close(&self->r);
}

static void *get_input(struct queue_commands *c, uint16_t opcode)
{
	return opcode == PRM_OP_create_cq   ? (void *)&c->cq_in
	       : opcode == PRM_OP_create_sq ? (void *)&c->sq_in
					    : (void *)&c->rq_in;
}

/* Sends a valid command with @value in @field. Return: the status */
static uint8_t send_with(struct ct_fix_capability *self, uint16_t opcode, const char *field,
			 uint64_t value)
{
	struct queue_commands c = self->good;
	void *in = get_input(&c, opcode);
	prm_be32 out[8];

	core_rig_set_field(in, opcode, field, value);
	return core_rig_exec(&self->r, opcode, in, prm_command_of(opcode)->in->bytes, out,
			     sizeof(out));
}

static void set_capability(struct core_rig *r, bool ethernet, const char *name, uint64_t value)
{
	size_t bit;
	const struct prm_row *row =
		core_rig_find_row(ethernet ? &prm_layout_per_protocol_networking_offload_caps
					   : &prm_layout_cmd_hca_cap,
				  name, &bit);

	prm_set_(ethernet ? r->emu->caps->eth.dw : r->emu->caps->general.dw, bit, row->width,
		 value);
}

static const struct feature {
	const char *name;
	uint16_t opcode;
	const char *field;
	uint64_t value;
	bool ethernet; /* a capability of Ethernet, not a general one */
	const char *capability;
} features[] = {
	{ "overrun_ignore", PRM_OP_create_cq, "cq_context.oi", 1, false, "cq_oi" },
	{ "compression", PRM_OP_create_cq, "cq_context.cqe_comp_en", 1, false, "cqe_compression" },
	{ "checksum_of_mini_cqes", PRM_OP_create_cq, "cq_context.mini_cqe_res_format", 1, false,
	  "cqe_compression" },
	{ "stride_index_of_mini_cqes", PRM_OP_create_cq, "cq_context.mini_cqe_res_format", 3, false,
	  "mini_cqe_resp_stride_index" },
	{ "vlan_stripping", PRM_OP_create_rq, "ctx.vsd", 0, true, "vlan_cap" },
	{ "fcs", PRM_OP_create_rq, "ctx.scatter_fcs", 1, true, "scatter_fcs" },
	{ "multi_packet_wqes", PRM_OP_create_sq, "ctx.allow_multi_pkt_send_wqe", 1, true,
	  "multi_pkt_send_wqe" },
};

TEST_F_EACH(capability, field_is_refused_without_its_capability, struct feature, features)
{
	struct core_rig *r = &self->r;

	EXPECT_EQ(OK, send_with(self, row->opcode, row->field, row->value));
	set_capability(r, row->ethernet, row->capability, 0);
	EXPECT_EQ(OK, send_with(self, row->opcode, row->field, !row->value));
	EXPECT_EQ(BAD, send_with(self, row->opcode, row->field, row->value));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(r));
	EXPECT_SUBSTR(row->capability, r->emu->detail);
}

static const struct change {
	const char *name;
	uint32_t select;
	const char *field;
	uint64_t value;
	const char *capability;
} changes[] = {
	{ "vlan_stripping", PRM_MODIFY_RQ_BITMASK_VSD, "ctx.vsd", 0, "vlan_cap" },
	{ "fcs", PRM_MODIFY_RQ_BITMASK_SCATTER_FCS, "ctx.scatter_fcs", 1, "scatter_fcs" },
};

TEST_F_EACH(capability, change_is_refused_without_its_capability, struct change, changes)
{
	struct core_rig *r = &self->r;
	struct prm_modify_rq_in in = { 0 };
	struct prm_modify_rq_out out;

	prm_set(&in, rqn, core_rig_make_rq(r, 4, 0, self->good.cq.cqn).rqn);
	prm_set(&in, rq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, row->select);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_RDY);
	core_rig_set_field(&in, PRM_OP_modify_rq, row->field, row->value);
	CORE_RIG_OK(r, modify_rq, &in, &out);
	set_capability(r, true, row->capability, 0);
	EXPECT_EQ(BAD, CORE_RIG_EXEC(r, modify_rq, &in, &out));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(r));
	core_rig_set_field(&in, PRM_OP_modify_rq, row->field, !row->value);
	CORE_RIG_OK(r, modify_rq, &in, &out);
	prm_set(&in, modify_bitmask, 0);
	core_rig_set_field(&in, PRM_OP_modify_rq, row->field, row->value);
	CORE_RIG_OK(r, modify_rq, &in, &out);
}

/* The umem has no room for these rings, so the largest size is refused for another reason. */
static const struct limit {
	const char *name;
	uint16_t opcode;
	const char *field, *capability;
} limits[] = {
	{ "cqes", PRM_OP_create_cq, "cq_context.log_cq_size", "log_max_cq_sz" },
	{ "wqebbs", PRM_OP_create_sq, "ctx.wq.log_wq_sz", "log_max_wq_sz" },
	{ "receive_wqes", PRM_OP_create_rq, "ctx.wq.log_wq_sz", "log_max_wq_sz" },
};

TEST_F_EACH(capability, size_may_be_as_large_as_its_limit, struct limit, limits)
{
	struct core_rig *r = &self->r;
	size_t bit;
	const struct prm_row *cap =
		core_rig_find_row(&prm_layout_cmd_hca_cap, row->capability, &bit);
	const uint64_t max = prm_get_(r->emu->caps->general.dw, bit, cap->width);

	EXPECT_EQ(BAD, send_with(self, row->opcode, row->field, max));
	EXPECT_EQ(EMU_SYND_UMEM_RANGE, core_rig_get_syndrome(r));
	EXPECT_EQ(BAD, send_with(self, row->opcode, row->field, max + 1));
	EXPECT_EQ(EMU_SYND_SIZE, core_rig_get_syndrome(r));
}

/* A ring of 2 WQEs fits its umem with each stride. */
TEST_F(capability, stride_of_an_rq_is_between_its_limits)
{
	struct core_rig *r = &self->r;
	const unsigned min = (unsigned)emu_cap(r->emu, log_min_stride_sz_rq);
	const unsigned max = (unsigned)emu_cap(r->emu, log_max_stride_sz_rq);

	core_rig_set_field(&self->good.rq_in, PRM_OP_create_rq, "ctx.wq.log_wq_sz", 1);
	for (unsigned stride = min - 1; stride <= max + 1; stride++) {
		SCOPED_TRACE("log_wq_stride %u", stride);
		EXPECT_EQ(stride >= min && stride <= max ? OK : BAD,
			  send_with(self, PRM_OP_create_rq, "ctx.wq.log_wq_stride", stride));
	}
}

/* ---- one object more --------------------------------------------------------------------- */

static const struct full {
	const char *name;
	uint16_t opcode;
	enum emu_type type;
} fulls[] = {
	{ "cq", PRM_OP_create_cq, EMU_CQ },
	{ "sq", PRM_OP_create_sq, EMU_SQ },
	{ "rq", PRM_OP_create_rq, EMU_RQ },
};

TEST_F_EACH(capability, queue_beyond_the_limit_is_refused_and_leaves_nothing, struct full, fulls)
{
	struct core_rig *r = &self->r;
	struct emu_table *t = &r->emu->table[row->type];
	const struct emu_obj *uar = emu_obj_at(&r->emu->table[EMU_UAR], r->uar);
	const struct emu_obj *cq = emu_obj_at(&r->emu->table[EMU_CQ], self->good.cq.cqn);
	const uint32_t uar_refs = uar->refs, cq_refs = cq->refs;

	t->max = t->n_used;
	EXPECT_EQ(PRM_STATUS_LIM_ERR, send_with(self, row->opcode, "uid", r->uid));
	EXPECT_EQ(EMU_SYND_LIMIT, core_rig_get_syndrome(r));
	queue_commands_expect_unused(r, &self->good);
	EXPECT_EQ(uar_refs, uar->refs);
	EXPECT_EQ(cq_refs, cq->refs);
	t->max++;
	EXPECT_EQ(OK, send_with(self, row->opcode, "uid", r->uid));
}

/* ---- memory ------------------------------------------------------------------------------- */

static const struct queue {
	const char *name;
	uint16_t create, destroy;
	const char *number, *record;
	size_t bit; /* place of the number in the output */
} queues[] = {
	{ "cq", PRM_OP_create_cq, PRM_OP_destroy_cq, "cqn", "cq_context.dbr_umem_id",
	  prm_bit((const struct prm_create_cq_out *)0, cqn) },
	{ "sq", PRM_OP_create_sq, PRM_OP_destroy_sq, "sqn", "ctx.wq.dbr_umem_id",
	  prm_bit((const struct prm_create_sq_out *)0, sqn) },
	{ "rq", PRM_OP_create_rq, PRM_OP_destroy_rq, "rqn", "ctx.wq.dbr_umem_id",
	  prm_bit((const struct prm_create_rq_out *)0, rqn) },
};

/* The ring is in one umem, and the record in another. */
TEST_F_EACH(capability, queue_holds_both_of_its_umems, struct queue, queues)
{
	struct core_rig *r = &self->r;
	const uint32_t other = core_rig_make_umem(r, core_rig_alloc(r, BYTES), BYTES, true);
	const struct emu_table *umems = &r->emu->table[EMU_UMEM];
	const struct emu_obj *of_record = emu_obj_at(umems, other);
	const struct emu_obj *of_ring = emu_obj_at(
		umems, row->create == PRM_OP_create_cq ? self->good.umem : self->good.read_only);
	void *in = get_input(&self->good, row->create);
	prm_be32 out[8];
	uint32_t id;

	core_rig_set_field(in, row->create, row->record, other);
	EXPECT_EQ(OK, core_rig_exec(r, row->create, in, prm_command_of(row->create)->in->bytes, out,
				    sizeof(out)));
	id = (uint32_t)prm_get_(out, row->bit, 24);
	EXPECT_EQ(1, of_record->refs);
	EXPECT_EQ(1, of_ring->refs);
	EXPECT_EQ(OK, queue_commands_destroy(r, row->destroy, row->number, id));
	EXPECT_EQ(0, of_record->refs);
	EXPECT_EQ(0, of_ring->refs);
}
