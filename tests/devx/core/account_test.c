/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <time.h>

#include "ct.h"
#include "devx/account.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* The account of firmware commands (account.c). */

FIXTURE(account)
{
	struct devx_dev dev;
	struct devx_account before; /* the account after the open */
};

FIXTURE_SETUP(account)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, devx_rig_get_ibdev()));
	self->before = *self->dev.account;
}

FIXTURE_TEARDOWN(account)
{
	devx_dev_close(&self->dev);
	EXPECT_EQ(NULL, self->dev.account);
}

static uint64_t get_time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

TEST_F(account, counts_the_commands_of_each_opcode)
{
	const struct devx_account *account = self->dev.account;
	struct devx_td td[3] = { 0 };

	/* an open queries one page of capabilities at least */
	EXPECT_LE(1, devx_rig_get_counts(&self->dev, PRM_OP_query_hca_cap).n);
	EXPECT_EQ(account->n_commands, devx_rig_get_counts(&self->dev, PRM_OP_query_hca_cap).n);
	for (int i = 0; i < 3; i++)
		ASSERT_EQ(0, devx_td_create(&td[i], &self->dev));
	EXPECT_EQ(3, devx_rig_get_counts(&self->dev, PRM_OP_alloc_transport_domain).n);
	EXPECT_EQ(self->before.n_commands + 3, account->n_commands);
	EXPECT_EQ(0, account->n_destroyed);
	for (int i = 0; i < 3; i++)
		devx_td_destroy(&td[i]);
	EXPECT_EQ(3, account->n_destroyed);
	EXPECT_EQ(self->before.n_commands + 3, account->n_commands);
	EXPECT_EQ(0, account->n_failed);
	EXPECT_EQ(0, account->last_failure.opcode);
}

TEST_F(account, keeps_the_last_failure)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	const struct devx_account *account = self->dev.account;
	const uint64_t start_ns = get_time_ns();
	struct devx_td td = { 0 };

	NEEDS_EMU("to make a command fail");
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_LIM_ERR);
	EXPECT_EQ(-EREMOTEIO, devx_td_create(&td, &self->dev));
	emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	ASSERT_EQ(0, devx_td_create(&td, &self->dev));
	devx_td_destroy(&td);

	EXPECT_EQ(2, devx_rig_get_counts(&self->dev, PRM_OP_alloc_transport_domain).n);
	EXPECT_EQ(1, devx_rig_get_counts(&self->dev, PRM_OP_alloc_transport_domain).n_failed);
	EXPECT_EQ(1, account->n_failed);
	EXPECT_EQ(PRM_OP_alloc_transport_domain, account->last_failure.opcode);
	EXPECT_EQ(PRM_STATUS_LIM_ERR, account->last_failure.status);
	EXPECT_EQ(-EREMOTEIO, account->last_failure.rc);
	EXPECT_EQ(self->dev.refusal.syndrome, account->last_failure.syndrome);
	EXPECT_LE(start_ns, account->last_failure.time_ns);
	EXPECT_LE(account->last_failure.time_ns, get_time_ns());
}

TEST_F(account, keeps_a_command_that_the_kernel_refused)
{
	const struct devx_account *account = self->dev.account;
	struct prm_query_q_counter_in in = { 0 };
	struct prm_query_q_counter_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_create_cq);
	EXPECT_EQ(-EINVAL, devx_cmd_general(&self->dev, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(1, devx_rig_get_counts(&self->dev, PRM_OP_create_cq).n_failed);
	EXPECT_EQ(-EINVAL, account->last_failure.rc);
	EXPECT_EQ(PRM_STATUS_OK, account->last_failure.status);
}

TEST_F(account, holds_the_newest_commands)
{
	const struct devx_account *account = self->dev.account;
	uint64_t last_ns = 0;

	for (int i = 0; i < 2 * DEVX_ACCOUNT_RECORDS; i++) {
		struct devx_td td = { 0 };

		ASSERT_EQ(0, devx_td_create(&td, &self->dev));
		devx_td_destroy(&td);
	}
	EXPECT_EQ(self->before.n_commands + 2 * DEVX_ACCOUNT_RECORDS, account->n_commands);
	for (uint64_t i = account->n_commands - DEVX_ACCOUNT_RECORDS; i < account->n_commands;
	     i++) {
		const struct devx_account_record *r = &account->records[i % DEVX_ACCOUNT_RECORDS];

		EXPECT_EQ(PRM_OP_alloc_transport_domain, r->opcode);
		EXPECT_EQ(0, r->rc);
		EXPECT_LE(last_ns, r->time_ns);
		last_ns = r->time_ns;
	}
}

/* More opcodes than the account has room for; the kernel refuses those that firmware lacks. */
TEST_F(account, counts_commands_beyond_its_room)
{
	const struct devx_account *account = self->dev.account;
	const unsigned n = 2 * DEVX_ACCOUNT_OPCODES;

	for (unsigned i = 0; i < n; i++) {
		struct prm_nop_in in = { 0 };
		struct prm_nop_out out = { 0 };

		prm_set(&in, opcode, 0xf000 + i);
		EXPECT_NE(0, devx_cmd_general(&self->dev, &in, sizeof(in), &out, sizeof(out)));
	}
	EXPECT_EQ(DEVX_ACCOUNT_OPCODES, account->n_opcodes);
	EXPECT_EQ(n - DEVX_ACCOUNT_OPCODES + self->before.n_opcodes, account->n_other);
	EXPECT_EQ(n, account->n_failed);
	EXPECT_EQ(0xf000 + n - 1, account->last_failure.opcode);
}

TEST(account_name, opcodes_and_status_have_names)
{
	char buf[64];

	EXPECT_STREQ("CREATE_SQ", devx_opcode_name(PRM_OP_create_sq, buf, sizeof(buf)));
	EXPECT_STREQ("0xf001", devx_opcode_name(0xf001, buf, sizeof(buf)));
	EXPECT_STREQ("CRE", devx_opcode_name(PRM_OP_create_sq, buf, 4));
	EXPECT_STREQ("BAD_PARAM", devx_status_name(PRM_STATUS_BAD_PARAM));
}
