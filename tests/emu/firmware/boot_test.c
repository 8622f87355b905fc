/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig.h"
#include "emu/base/profile.h"
#include "emu/base/dev.h"
#include "emu/firmware/refuse.h"

enum {
	OK = PRM_STATUS_OK,
	STATE = PRM_STATUS_BAD_SYS_STATE,
	LENT = 48,
	TAKE = PRM_MANAGE_PAGES_OP_MOD_HCA_RETURN_PAGES,
	GIVE = PRM_MANAGE_PAGES_OP_MOD_ALLOCATION_SUCCESS,
};

FIXTURE(boot)
{
	struct core_rig r;
	uint8_t *pages;
};

FIXTURE_SETUP(boot)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .no_context = true });
	self->pages = core_rig_alloc(&self->r, LENT * CORE_RIG_PAGE);
}

FIXTURE_TEARDOWN(boot)
{
	core_rig_close(&self->r);
}

/* Sends a command whose input is 0 except for the opcode. Returns the status. */
#define SAY(r, name)                                                                               \
	({                                                                                         \
		struct prm_##name##_in in_ = { 0 };                                                \
		struct prm_##name##_out out_;                                                      \
		CORE_RIG_EXEC((r), name, &in_, &out_);                                             \
	})

static uint32_t query_pages(struct core_rig *r, uint16_t what)
{
	struct prm_query_pages_in in = { 0 };
	struct prm_query_pages_out out;

	prm_set(&in, op_mod, what);
	CORE_RIG_OK(r, query_pages, &in, &out);
	return (uint32_t)prm_get(&out, num_pages);
}

static uint8_t give_pages(struct core_rig *r, const uint8_t *at, uint32_t n, uint32_t says)
{
	struct {
		struct prm_manage_pages_in head;
		prm_be64 pas[LENT];
	} in = { 0 };
	struct prm_manage_pages_out out;

	prm_set(&in.head, op_mod, GIVE);
	prm_set(&in.head, input_num_entries, says);
	for (uint32_t i = 0; i < n; i++)
		in.pas[i] = prm_be64_of((uintptr_t)at + i * CORE_RIG_PAGE);
	return core_rig_exec(r, PRM_OP_manage_pages, &in, sizeof(in.head) + n * sizeof(in.pas[0]),
			     &out, sizeof(out));
}

static uint32_t take_pages(struct core_rig *r, uint32_t n, uint64_t *first)
{
	struct prm_manage_pages_in in = { 0 };
	struct {
		struct prm_manage_pages_out head;
		prm_be64 pas[LENT];
	} out;

	prm_set(&in, op_mod, TAKE);
	prm_set(&in, input_num_entries, n);
	EXPECT_EQ(OK, core_rig_exec(r, PRM_OP_manage_pages, &in, sizeof(in), &out, sizeof(out)));
	*first = prm_be64_get(out.pas[0]);
	return (uint32_t)prm_get(&out.head, output_num_entries);
}

TEST_F(boot, goes_from_state_to_state_and_back)
{
	uint64_t first;

	EXPECT_EQ(STATE, SAY(&self->r, init_hca));
	EXPECT_EQ(STATE, SAY(&self->r, disable_hca));
	EXPECT_EQ(OK, SAY(&self->r, enable_hca));
	EXPECT_EQ(STATE, SAY(&self->r, enable_hca));
	EXPECT_EQ(16, query_pages(&self->r, 1));
	EXPECT_EQ(OK, give_pages(&self->r, self->pages, 16, 16));
	EXPECT_EQ(0, query_pages(&self->r, 1));
	EXPECT_EQ(STATE, SAY(&self->r, init_hca)); /* firmware lacks pages */
	EXPECT_SUBSTR("firmware has 16 (valid: at least 48)", self->r.emu->detail);
	EXPECT_EQ(32, query_pages(&self->r, 2));
	EXPECT_EQ(OK, give_pages(&self->r, self->pages + 16 * CORE_RIG_PAGE, 32, 32));
	EXPECT_EQ(OK, SAY(&self->r, init_hca));
	EXPECT_EQ(STATE, SAY(&self->r, init_hca));
	EXPECT_EQ(STATE, SAY(&self->r, disable_hca));
	EXPECT_EQ(OK, SAY(&self->r, teardown_hca));
	EXPECT_EQ(STATE, SAY(&self->r, disable_hca)); /* pages are still lent */
	EXPECT_EQ(40, take_pages(&self->r, 40, &first));
	EXPECT_EQ((uintptr_t)self->pages + 47 * CORE_RIG_PAGE, first);
	EXPECT_EQ(8, take_pages(&self->r, 40, &first)); /* firmware has only 8 left */
	EXPECT_EQ(OK, SAY(&self->r, disable_hca));
	EXPECT_EQ(OK, SAY(&self->r, enable_hca));
}

TEST_F(boot, manage_pages_refuses_bad_pages)
{
	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN, give_pages(&self->r, self->pages, 2, 3));
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, give_pages(&self->r, self->pages + 8, 1, 1));
	self->r.deny = (uintptr_t)self->pages + CORE_RIG_PAGE;
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, give_pages(&self->r, self->pages, 2, 2));
	EXPECT_EQ(0, self->r.emu->boot.n_pages);
	EXPECT_EQ(16, query_pages(&self->r, 1));
	self->r.emu->boot.n_pages = 1 << 16; /* as many as firmware takes */
	self->r.deny = 0;
	EXPECT_EQ(PRM_STATUS_LIM_ERR, give_pages(&self->r, self->pages, 1, 1));
	EXPECT_EQ(EMU_SYND_LIMIT, core_rig_get_syndrome(&self->r));
	self->r.emu->boot.n_pages = 0;
}

TEST_F(boot, pages_come_back_only_if_the_output_has_room)
{
	struct prm_manage_pages_in in = { 0 };
	struct {
		struct prm_manage_pages_out head;
		prm_be64 pas[3];
	} out;

	EXPECT_EQ(OK, give_pages(&self->r, self->pages, 3, 3));
	prm_set(&in, op_mod, TAKE);
	prm_set(&in, input_num_entries, 3);
	EXPECT_EQ(PRM_STATUS_BAD_OUTP_LEN, core_rig_exec(&self->r, PRM_OP_manage_pages, &in,
							 sizeof(in), &out, sizeof(out) - 8));
	EXPECT_EQ(3, self->r.emu->boot.n_pages);
	EXPECT_EQ(OK,
		  core_rig_exec(&self->r, PRM_OP_manage_pages, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ((uintptr_t)self->pages, prm_be64_get(out.pas[2]));
}

static const struct unknown {
	const char *name;
	uint16_t opcode;
	const char *field;
	uint64_t value;
	uint32_t syndrome;
} unknowns[] = {
	{ "query_of_kind_0", PRM_OP_query_pages, "op_mod", 0, EMU_SYND_OP_MOD },
	{ "query_of_kind_4", PRM_OP_query_pages, "op_mod", 4, EMU_SYND_OP_MOD },
	{ "pages_of_kind_3", PRM_OP_manage_pages, "op_mod", 3, EMU_SYND_OP_MOD },
	{ "issi_2", PRM_OP_set_issi, "current_issi", 2, EMU_SYND_TYPE },
	{ "capabilities_of_ethernet", PRM_OP_set_hca_cap, "op_mod", 1 << 1, EMU_SYND_OP_MOD },
};

TEST_F_EACH(boot, unknown_kind_is_refused, struct unknown, unknowns)
{
	static prm_be32 in[sizeof(struct prm_set_hca_cap_in) / 4];
	prm_be32 out[32];

	SAY(&self->r, enable_hca);
	memset(in, 0, sizeof(in));
	core_rig_set_field(in, row->opcode, row->field, row->value);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM,
		  core_rig_exec(&self->r, row->opcode, in, prm_command_of(row->opcode)->in->bytes,
				out, sizeof(out)));
	EXPECT_EQ(row->syndrome, core_rig_get_syndrome(&self->r));
}

TEST_F(boot, kernel_may_have_no_page_to_give)
{
	struct prm_manage_pages_in in = { 0 };
	struct prm_manage_pages_out out;

	prm_set(&in, op_mod, PRM_MANAGE_PAGES_OP_MOD_ALLOCATION_FAIL);
	prm_set(&in, input_num_entries, 3);
	CORE_RIG_OK(&self->r, manage_pages, &in, &out);
	EXPECT_EQ(0, self->r.emu->boot.n_pages);
}

TEST_F(boot, issi_may_be_0_and_1)
{
	struct prm_set_issi_in in = { 0 };
	struct prm_set_issi_out out;

	for (unsigned issi = 0; issi < 2; issi++) {
		prm_set(&in, current_issi, issi);
		CORE_RIG_OK(&self->r, set_issi, &in, &out);
		EXPECT_EQ(issi, self->r.emu->boot.issi);
	}
}

TEST_F(boot, teardown_frees_and_counts_objects_that_the_driver_left)
{
	SAY(&self->r, enable_hca);
	give_pages(&self->r, self->pages, LENT, LENT);
	SAY(&self->r, init_hca);
	EXPECT_EQ(OK, SAY(&self->r, teardown_hca));
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_left_behind]);
	SAY(&self->r, init_hca);
	EXPECT_EQ(OK, SAY(&self->r, alloc_pd));
	EXPECT_EQ(OK, SAY(&self->r, alloc_pd));
	EXPECT_EQ(OK, SAY(&self->r, alloc_xrcd));
	EXPECT_EQ(OK, SAY(&self->r, teardown_hca));
	EXPECT_EQ(0, self->r.emu->table[EMU_PD].n_used);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_left_behind]);
	EXPECT_STREQ("PD 2, XRC domain 1", self->r.mistakes.first[EMU_MISTAKE_left_behind]);
}

/* ---- capabilities ------------------------------------------------------------------ */

static uint8_t set_caps(struct core_rig *r, const struct prm_cmd_hca_cap *caps)
{
	static struct prm_set_hca_cap_in in;
	struct prm_set_hca_cap_out out;

	memcpy(&in.dw[prm_bit(&in, capability) / 32], caps, sizeof(*caps));
	return CORE_RIG_EXEC(r, set_hca_cap, &in, &out);
}

TEST_F(boot, capabilities_are_set_before_init_and_within_the_maximum)
{
	struct prm_cmd_hca_cap caps = self->r.emu->caps->general;
	const unsigned log_max_cq = (unsigned)prm_get(&caps, log_max_cq);

	EXPECT_EQ(STATE, set_caps(&self->r, &caps));
	SAY(&self->r, enable_hca);
	prm_set(&caps, pkey_table_size, 5); /* an enumeration: may be above the maximum */
	prm_set(&caps, log_max_cq, log_max_cq - 1);
	EXPECT_EQ(OK, set_caps(&self->r, &caps));
	EXPECT_EQ(log_max_cq - 1, emu_cap(self->r.emu, log_max_cq));
	prm_set(&caps, log_max_cq, log_max_cq + 1);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, set_caps(&self->r, &caps));
	EXPECT_EQ(EMU_SYND_NO_CAP, core_rig_get_syndrome(&self->r));
	EXPECT_EQ(log_max_cq - 1, emu_cap(self->r.emu, log_max_cq));
	EXPECT_EQ(OK, SAY(&self->r, disable_hca));
	EXPECT_EQ(log_max_cq, emu_cap(self->r.emu, log_max_cq)); /* DISABLE_HCA restored it */
}
