/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx/flow_table.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* A flow table of a user (flow_table.c): the entry that takes a frame, by the hash of its TIR. */

enum { IP4, IP6, REST, N_ENTRIES, LOG2_ENTRIES = 2 };

FIXTURE(flow_table)
{
	struct devx_rig rig;
	struct devx_flow_table table;
	struct devx_flow_group groups[2];
	struct devx_flow_entry entries[N_ENTRIES];
	struct devx_tir tirs[2]; /* one that hashes addresses of IPv4, one that hashes nothing */
	struct devx_flow_rule rule;
};

FIXTURE_SETUP(flow_table)
{
	struct devx_tir_attr attr = { .td = &self->rig.td, .rqt = &self->rig.rqt };

	ASSERT_EQ(0, devx_rig_up(&self->rig));
	devx_rig_post_recv(&self->rig, 1 << DEVX_RIG_LOG2_RQ);
	devx_flow_destroy(&self->rig.rule);
	memset(attr.key, 0x5a, sizeof(attr.key));
	attr.key[0] = 1;
	ASSERT_EQ(0, devx_tir_create(&self->tirs[1], &self->rig.dev, &attr));
	attr.fields = PRM_HASH_FIELD_SEL_SRC_IP | PRM_HASH_FIELD_SEL_DST_IP;
	ASSERT_EQ(0, devx_tir_create(&self->tirs[0], &self->rig.dev, &attr));
	ASSERT_EQ(0, devx_flow_table_create(&self->table, &self->rig.dev, LOG2_ENTRIES));
}

FIXTURE_TEARDOWN(flow_table)
{
	devx_flow_destroy(&self->rule);
	for (int i = 0; i < N_ENTRIES; i++)
		devx_flow_entry_destroy(&self->entries[i]);
	for (int i = 0; i < 2; i++)
		devx_flow_group_destroy(&self->groups[i]);
	devx_flow_table_destroy(&self->table);
	for (int i = 0; i < 2; i++)
		devx_tir_destroy(&self->tirs[i]);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

/* Sends a frame of the version to the own MAC. Returns 1: hashed; 0: not hashed; -1: not taken. */
static int send_and_read(struct devx_rig *rig, uint8_t ip_version)
{
	enum { FRAME_BYTES = 100 };
	uint8_t *at = devx_rig_get_send_slot(rig, rig->sq.pi);
	const struct prm_cqe *cqe;
	int hashed;

	memset(at, 0, FRAME_BYTES);
	memcpy(at, rig->port.mac, sizeof(rig->port.mac));
	memcpy(at + 6, rig->port.mac, sizeof(rig->port.mac));
	memcpy(at + 12, ip_version == 4 ? "\x08\x00\x45" : "\x86\xdd\x60", 3);
	if (ip_version == 4)
		memcpy(at + 16, "\x00\x56\x00\x00\x00\x00\x40\xfd\x00\x00\x0a\x00\x00\x01", 14);
	else
		memcpy(at + 18, "\x00\x2e\xfd\x40", 4);
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, at, FRAME_BYTES, rig->mr.lkey));
	EXPECT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	if (!cqe)
		return -1;
	EXPECT_MEMEQ(at, devx_rig_get_recv_slot(rig, rig->recv_cq.ci), FRAME_BYTES);
	hashed = cqe->rss_hash_type != 0;
	devx_rig_drop_cqe(&rig->recv_cq);
	return hashed;
}

static const struct devx_match ipv4 = { .ip_version = 4 }, all = { 0 };

/* An entry with a smaller number takes IPv4 from the last one, until it is destroyed. */
TEST_F(flow_table, smallest_matching_entry_takes_a_frame)
{
	struct devx_rig *rig = &self->rig;

	ASSERT_EQ(0, devx_flow_group_create(&self->groups[0], &self->table, &ipv4, IP4, 2));
	ASSERT_EQ(0, devx_flow_group_create(&self->groups[1], &self->table, &all, REST, 1));
	ASSERT_EQ(0, devx_flow_entry_create(&self->entries[REST], &self->groups[1], REST, &all,
					    &self->tirs[1]));
	ASSERT_EQ(0, devx_flow_create_to_table(&self->rule, &rig->dev, &all, 0, &self->table));
	EXPECT_EQ(0, send_and_read(rig, 4));
	ASSERT_EQ(0, devx_flow_entry_create(&self->entries[IP4], &self->groups[0], IP4, &ipv4,
					    &self->tirs[0]));
	EXPECT_EQ(1, send_and_read(rig, 4));
	EXPECT_EQ(0, send_and_read(rig, 6));
	devx_flow_entry_destroy(&self->entries[IP4]);
	EXPECT_EQ(0, send_and_read(rig, 4));
}

static const struct compared {
	const char *name;
	struct devx_match match;
	unsigned criteria;
} compared[] = {
	{ "nothing", { .ip_version = 0 }, 0 },
	{ "ip_version", { .ip_version = 4 }, PRM_MATCH_OUTER_HEADERS },
	{ "destination_mac", { .dmac_mask = { 0xff } }, PRM_MATCH_OUTER_HEADERS },
};

/* kernel: mlx5_ib and net_mlx5 enable a part of the match only if its mask has bits. */
TEST_F_EACH(flow_table, group_enables_the_criteria_that_it_compares, struct compared, compared)
{
	struct devx_flow_group *group = &self->groups[0];
	struct prm_query_flow_group_in in = { 0 };
	struct prm_query_flow_group_out out = { 0 };

	ASSERT_EQ(0, devx_flow_group_create(group, &self->table, &row->match, IP4, 2));
	prm_set(&in, opcode, PRM_OP_query_flow_group);
	prm_set(&in, table_type, PRM_FLOW_TABLE_TYPE_NIC_RX);
	prm_set(&in, table_id, self->table.table_id);
	prm_set(&in, group_id, group->group_id);
	ASSERT_EQ(0,
		  devx_cmd_query(self->table.dev, group->obj, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(row->criteria, prm_get(&out, match_criteria_enable));
	EXPECT_EQ(IP4, prm_get(&out, start_flow_index));
	EXPECT_EQ(IP4 + 1, prm_get(&out, end_flow_index));
}

TEST_F(flow_table, invalid_arguments_are_refused)
{
	struct devx_dev *dev = &self->rig.dev;
	struct devx_flow_table table = { 0 };
	const struct devx_tir no_tir = { 0 };

	devx_rig_expect_error(dev, -EINVAL, "log2_n 33", devx_flow_table_create(&table, dev, 33));
	devx_rig_expect_error(
		dev, -EINVAL, "0 entries",
		devx_flow_group_create(&self->groups[0], &self->table, &all, REST, 0));
	devx_rig_expect_error(dev, -EINVAL, "IP version 5",
			      devx_flow_group_create(&self->groups[0], &self->table,
						     &(struct devx_match){ .ip_version = 5 }, 0,
						     1));
	ASSERT_EQ(0, devx_flow_group_create(&self->groups[1], &self->table, &all, REST, 1));
	devx_rig_expect_error(dev, -EINVAL, "no TIR",
			      devx_flow_entry_create(&self->entries[REST], &self->groups[1], REST,
						     &all, &no_tir));
	devx_rig_expect_error(dev, -EREMOTEIO, "SET_FTE",
			      devx_flow_entry_create(&self->entries[REST], &self->groups[1], IP4,
						     &all, &self->tirs[1]));
	devx_rig_expect_error(dev, -EINVAL, "no flow table",
			      devx_flow_create_to_table(&self->rule, dev, &all, 0, &table));
}

static const struct failing {
	const char *name;
	enum devx_emu_fail what;
} failings[] = { { "command", DEVX_EMU_FAIL_COMMAND }, { "ioctl", DEVX_EMU_FAIL_IOCTL } };

/* Groups and entries need a table, so the failure sweep of sweep_test.c does not reach them. */
TEST_F_EACH(flow_table, failed_create_leaves_nothing_behind, struct failing, failings)
{
	struct devx_dev *dev = &self->rig.dev;
	static const struct devx_flow_group no_group;
	static const struct devx_flow_entry no_entry;
	const struct devx_emu_ctl *emu;

	NEEDS_EMU("to make calls fail");
	emu = emu_if_any();
	emu->fail(row->what, 0, 0);
	EXPECT_NE(0, devx_flow_group_create(&self->groups[1], &self->table, &all, REST, 1));
	EXPECT_MEMEQ(&no_group, &self->groups[1], sizeof(no_group));
	ASSERT_EQ(0, devx_flow_group_create(&self->groups[1], &self->table, &all, REST, 1));
	emu->fail(row->what, 0, 0);
	EXPECT_NE(0, devx_flow_entry_create(&self->entries[REST], &self->groups[1], REST, &all,
					    &self->tirs[1]));
	EXPECT_MEMEQ(&no_entry, &self->entries[REST], sizeof(no_entry));
	ASSERT_EQ(0, devx_flow_entry_create(&self->entries[REST], &self->groups[1], REST, &all,
					    &self->tirs[1]));
	ASSERT_EQ(0, devx_flow_create_to_table(&self->rule, dev, &all, 0, &self->table));
	EXPECT_EQ(0, send_and_read(&self->rig, 4));
}
