/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks that apply to all commands, tried on every row of prm/commands.def.
 */
#include <string.h>

#include "core_rig.h"
#include "emu/base/dev.h"
#include "emu/firmware/fields.h"
#include "emu/firmware/refuse.h"

enum { ROOM = 0x2000, HEADER = 8 };

static const struct row {
	const char *name;
	uint16_t opcode;
} commands[] = {
/* clang-format off */
#define CMD(op, name) { #name, (op) },
#include "prm/commands.def"
	/* clang-format on */
};

/** struct box - room for the input and output of one command */
struct box {
	prm_be32 in[ROOM / 4], out[ROOM / 4];
};

static uint8_t run_command(struct core_rig *r, struct box *b, uint16_t opcode, uint16_t uid,
			   size_t in_bytes, size_t out_bytes)
{
	prm_set((struct prm_nop_in *)b->in, uid, uid);
	return core_rig_exec(r, opcode, b->in, in_bytes, b->out, out_bytes);
}

static void open_empty(struct core_rig *r)
{
	core_rig_open(r, &(struct core_rig_config){ .no_context = true });
}

TEST_EACH(cmd, refuses_every_reserved_bit, struct row, commands)
{
	const struct prm_command *cmd = prm_command_of(row->opcode);
	const size_t bytes = cmd->in->bytes;
	unsigned n = 0, refused = 0;
	struct core_rig r;

	open_empty(&r);
	for (size_t bit = HEADER * 4; bit < bytes * 8; bit++) {
		struct box b = { 0 };
		char name[96];

		if (prm_name_of(cmd->in, bit, name, sizeof(name)))
			continue;
		n++;
		b.in[bit / 32] = prm_be32_of(0x80000000u >> bit % 32);
		refused +=
			run_command(&r, &b, row->opcode, 0, bytes, ROOM) == PRM_STATUS_BAD_PARAM &&
			core_rig_get_syndrome(&r) == EMU_SYND_RESERVED;
	}
	EXPECT_NE(0, n);
	EXPECT_EQ(n, refused);
	EXPECT_EQ(n, r.mistakes.n[EMU_MISTAKE_reserved_bit]);
	core_rig_close(&r);
}

TEST_EACH(cmd, refuses_a_wrong_input_length, struct row, commands)
{
	const size_t bytes = prm_command_of(row->opcode)->in->bytes;
	const size_t tail = emu_fields_of(row->opcode)->tail_bytes;
	const size_t lengths[] = { HEADER, bytes - 4, bytes - 1, bytes + (tail ? tail - 1 : 4) };
	struct core_rig r;

	open_empty(&r);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct box b = { 0 };

		SCOPED_TRACE("%zu bytes instead of %zu", lengths[i], bytes);
		EXPECT_EQ(PRM_STATUS_BAD_INP_LEN,
			  run_command(&r, &b, row->opcode, 0, lengths[i], ROOM));
		EXPECT_EQ(EMU_SYND_LENGTH, core_rig_get_syndrome(&r));
		EXPECT_EQ(i + 1, r.mistakes.n[EMU_MISTAKE_bad_length]);
	}
	core_rig_close(&r);
}

static bool begins_with(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

TEST_EACH(cmd, refuses_a_short_output_unless_it_queries, struct row, commands)
{
	const struct prm_command *cmd = prm_command_of(row->opcode);
	const bool is_query = begins_with(row->name, "query_");
	struct box b = { 0 };
	struct core_rig r;

	open_empty(&r);
	EXPECT_EQ(!is_query, run_command(&r, &b, row->opcode, 0, cmd->in->bytes,
					 cmd->out->bytes - 4) == PRM_STATUS_BAD_OUTP_LEN);
	EXPECT_EQ(!is_query, r.mistakes.n[EMU_MISTAKE_bad_length]);
	if (!is_query)
		EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, prm_get((struct prm_nop_out *)b.out, status));
	core_rig_close(&r);
}

/* rdma-core's test of DEVX asks for capabilities with 2064 bytes. */
static const struct out_length {
	const char *name;
	size_t bytes;
} out_lengths[] = {
	{ "header", HEADER },
	{ "of_rdma_core", 2064 },
	{ "one_dword_missing", sizeof(struct prm_query_hca_cap_out) - 4 },
	{ "longer", sizeof(struct prm_query_hca_cap_out) + 8 },
};

TEST_EACH(cmd, query_fills_an_output_of_any_length, struct out_length, out_lengths)
{
	const size_t in_bytes = sizeof(struct prm_query_hca_cap_in);
	struct box all = { 0 }, some = { 0 };
	struct core_rig r;

	open_empty(&r);
	memset(some.out, 0xee, sizeof(some.out));
	EXPECT_EQ(PRM_STATUS_OK, run_command(&r, &all, PRM_OP_query_hca_cap, 0, in_bytes, ROOM));
	EXPECT_EQ(PRM_STATUS_OK,
		  run_command(&r, &some, PRM_OP_query_hca_cap, 0, in_bytes, row->bytes));
	EXPECT_MEMEQ(all.out, some.out, row->bytes);
	EXPECT_EQ(0xeeeeeeee, some.out[row->bytes / 4].raw);
	EXPECT_EQ(0, core_rig_count_mistakes(&r));
	core_rig_close(&r);
}

TEST_EACH(cmd, refuses_an_unknown_user_context, struct row, commands)
{
	struct box b = { 0 };
	struct core_rig r;

	open_empty(&r);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, run_command(&r, &b, row->opcode, 0x7777,
						    prm_command_of(row->opcode)->in->bytes, ROOM));
	EXPECT_EQ(EMU_SYND_UID, core_rig_get_syndrome(&r));
	EXPECT_EQ(1, r.mistakes.n[EMU_MISTAKE_no_object]);
	core_rig_close(&r);
}

TEST_EACH(cmd, fails_when_a_test_injects_a_failure, struct row, commands)
{
	struct box b = { 0 };
	struct core_rig r;

	open_empty(&r);
	r.emu->fail_command = 1;
	r.emu->fail_status = PRM_STATUS_NO_RES_ERR;
	EXPECT_EQ(PRM_STATUS_OK,
		  run_command(&r, &b, PRM_OP_nop, 0, sizeof(struct prm_nop_in), ROOM));
	b = (struct box){ 0 };
	EXPECT_EQ(PRM_STATUS_NO_RES_ERR, run_command(&r, &b, row->opcode, 0,
						     prm_command_of(row->opcode)->in->bytes, ROOM));
	EXPECT_EQ(EMU_SYND_INJECTED, prm_get((struct prm_nop_out *)b.out, syndrome));
	EXPECT_EQ(2, r.emu->n_commands);
	core_rig_close(&r);
}

/* Returns whether a command needs an object that another command created. */
static bool needs_object(const char *name)
{
	static const char *const without[] = {
		"query_hca_cap",
		"query_adapter",
		"query_issi",
		"query_special_contexts",
		"query_nic_vport_context",
		"modify_nic_vport_context",
		"query_vport_state",
		"query_vport_counter",
		"query_vnic_env",
		"query_lag",
		"query_hca_vport_pkey",
		"query_pages",
		"set_hca_cap",
		"set_issi",
		"set_driver_version",
		"query_roce_address",
		"set_roce_address",
		"set_pp_rate_limit",
	};

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (!strcmp(name, without[i]))
			return false;
	return begins_with(name, "query_") || begins_with(name, "modify_") ||
	       begins_with(name, "destroy_") || begins_with(name, "dealloc_") ||
	       begins_with(name, "delete_") || begins_with(name, "set_") ||
	       begins_with(name, "create_flow_group");
}

TEST_EACH(cmd, refuses_an_unknown_object, struct row, commands)
{
	struct box b = { 0 };
	struct core_rig r;

	if (!needs_object(row->name))
		return;
	open_empty(&r);
	if (row->opcode == PRM_OP_modify_rq || row->opcode == PRM_OP_modify_sq)
		prm_set((struct prm_modify_sq_in *)b.in, sqn, 0xabcdef);
	EXPECT_EQ(PRM_STATUS_BAD_RES, run_command(&r, &b, row->opcode, 0,
						  prm_command_of(row->opcode)->in->bytes, ROOM));
	EXPECT_EQ(1, r.mistakes.n[EMU_MISTAKE_no_object]);
	core_rig_close(&r);
}

TEST_EACH(cmd, refuses_kernel_commands_of_users, struct row, commands)
{
	struct box b = { 0 };
	struct core_rig r;

	if (!emu_fields_of(row->opcode)->kernel_only)
		return;
	core_rig_open(&r, &(struct core_rig_config){ 0 });
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, run_command(&r, &b, row->opcode, r.uid,
						    prm_command_of(row->opcode)->in->bytes, ROOM));
	EXPECT_EQ(EMU_SYND_KERNEL_ONLY, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

TEST(cmd, unknown_opcode_is_bad_op)
{
	struct box b = { 0 };
	struct core_rig r;

	open_empty(&r);
	EXPECT_EQ(PRM_STATUS_BAD_OP, run_command(&r, &b, 0xb0c, 0, 16, ROOM));
	EXPECT_EQ(EMU_SYND_OPCODE, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

TEST(cmd, refuses_mailboxes_shorter_than_a_header)
{
	struct prm_nop_in in = { 0 };
	struct prm_nop_out out;
	struct core_rig r;

	open_empty(&r);
	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN, emu_exec(r.emu, &in, 4, &out, sizeof(out)));
	memset(&out, 0xee, sizeof(out));
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, emu_exec(r.emu, &in, sizeof(in), &out, 4));
	EXPECT_EQ(0xeeeeeeee, out.dw[0].raw); /* emu writes nothing to a short output */
	core_rig_close(&r);
}

TEST(cmd, output_past_the_layout_is_zeroed)
{
	struct prm_nop_in in = { 0 };
	uint32_t out[64];
	struct core_rig r;

	open_empty(&r);
	memset(out, 0xee, sizeof(out));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&r, PRM_OP_nop, &in, sizeof(in), out, sizeof(out)));
	for (size_t i = 0; i < 64; i++)
		EXPECT_EQ(0, out[i]);
	core_rig_close(&r);
}

static const struct refusal {
	const char *name;
	enum emu_syndrome syndrome;
	enum emu_mistake mistake;
} refusals[] = {
	{ "capability", EMU_SYND_NO_CAP, EMU_N_MISTAKES },
	{ "feature", EMU_SYND_UNMODELLED, EMU_N_MISTAKES },
	{ "opcode", EMU_SYND_OPCODE, EMU_N_MISTAKES },
	{ "type", EMU_SYND_TYPE, EMU_N_MISTAKES },
	{ "size", EMU_SYND_SIZE, EMU_N_MISTAKES },
	{ "number_of_objects", EMU_SYND_LIMIT, EMU_N_MISTAKES },
	{ "right_of_the_user", EMU_SYND_RAW_TX, EMU_N_MISTAKES },
	{ "queue_that_failed_meanwhile", EMU_SYND_STATE, EMU_N_MISTAKES },
	{ "object_in_use", EMU_SYND_BUSY, EMU_N_MISTAKES },
	{ "length", EMU_SYND_LENGTH, EMU_MISTAKE_bad_length },
	{ "reserved_bit", EMU_SYND_RESERVED, EMU_MISTAKE_reserved_bit },
	{ "user_context", EMU_SYND_UID, EMU_MISTAKE_no_object },
	{ "object", EMU_SYND_NO_OBJECT, EMU_MISTAKE_no_object },
	{ "flow_table", EMU_SYND_FLOW_TABLE_ID, EMU_MISTAKE_no_object },
	{ "transition", EMU_SYND_TRANSITION, EMU_MISTAKE_contradiction },
	{ "range", EMU_SYND_UMEM_RANGE, EMU_MISTAKE_contradiction },
	{ "mkey_without_bytes", EMU_SYND_MKEY_ZERO_SIZE, EMU_MISTAKE_contradiction },
	{ "eq_of_other_events", EMU_SYND_NOT_COMPLETION_EQ, EMU_MISTAKE_contradiction },
	{ "value", EMU_SYND_VALUE, EMU_MISTAKE_contradiction },
	{ "action", EMU_SYND_ACTION, EMU_MISTAKE_contradiction },
	{ "list_of_mkeys", EMU_SYND_KLM, EMU_MISTAKE_contradiction },
};

TEST_EACH(refusal, is_a_mistake_if_no_device_accepts_the_command, struct refusal, refusals)
{
	EXPECT_EQ(row->mistake, emu_mistake_of(row->syndrome));
}

/* Fields that Linux declares and emu does not model; drivers tend to set them. */
static const struct unmodelled {
	const char *name;
	uint16_t opcode;
	size_t byte;
	uint32_t bit;
} unmodelled[] = {
	{ "ctx.hairpin", PRM_OP_create_sq, 0x20, 1 << 17 },
	{ "ctx.hairpin", PRM_OP_create_rq, 0x20, 1 << 17 },
	{ "ctx.wq.log_wqe_num_of_strides", PRM_OP_create_rq, 0x74, 1 << 8 },
	{ "ctx.packet_merge_mask", PRM_OP_create_tir, 0x30, 1 << 8 },
	{ "ctx.rlky", PRM_OP_create_rq, 0x20, 1u << 31 },
	{ "ctx.wq.wq_signature", PRM_OP_create_rq, 0x50, 1 << 27 },
	{ "cq_context.scqe_break_moderation_en", PRM_OP_create_cq, 0x10, 1 << 18 },
	{ "ctx.tls_en", PRM_OP_create_tir, 0x24, 1 << 27 },
	{ "ctx.tls_en", PRM_OP_create_tis, 0x20, 1 << 30 },
	{ "memory_key_mkey_entry.bsf_en", PRM_OP_create_mkey, 0x1c, 1 << 30 },
	{ "flow_table_context.decap_en", PRM_OP_create_flow_table, 0x18, 1 << 30 },
	{ "flow_context.modify_header_id", PRM_OP_set_fte, 0x5c, 1 },
	{ "other_vport", PRM_OP_query_vport_state, 0x08, 1u << 31 },
	{ "op_mod", PRM_OP_query_cq, 0x04, 1 },
};

TEST_EACH(cmd, refuses_an_unmodelled_field_and_names_it, struct unmodelled, unmodelled)
{
	struct box b = { 0 };
	struct core_rig r;

	open_empty(&r);
	b.in[row->byte / 4] = prm_be32_of(row->bit);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, run_command(&r, &b, row->opcode, 0,
						    prm_command_of(row->opcode)->in->bytes, ROOM));
	EXPECT_EQ(EMU_SYND_UNMODELLED, core_rig_get_syndrome(&r));
	EXPECT_EQ(0, core_rig_count_mistakes(&r)); /* another device may have it */
	EXPECT_SUBSTR(row->name, r.emu->detail);
	core_rig_close(&r);
}
