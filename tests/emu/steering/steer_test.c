/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/queue/port.h"
#include "emu/steering/steer.h"
#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "udp_frame.h"
#include "emu/steering/rss.h"

enum {
	ALLOW = PRM_FLOW_CONTEXT_ACTION_ALLOW,
	DROP = PRM_FLOW_CONTEXT_ACTION_DROP,
	FORWARD = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
	COUNT = PRM_FLOW_CONTEXT_ACTION_COUNT,
	TO_TABLE = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE,
	TO_TIR = PRM_FLOW_DESTINATION_TYPE_TIR,
};
enum { N_TIRS = 3, FRAME = 100 };

FIXTURE(steer)
{
	struct core_rig r;
	struct core_rig_cq cq;
	uint32_t tir[N_TIRS], table;
	uint8_t frame[256];
};

FIXTURE_SETUP(steer)
{
	struct core_rig_rq rq;

	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->cq = core_rig_make_cq(&self->r, 6);
	rq = core_rig_make_rq(&self->r, 3, 0, self->cq.cqn);
	for (unsigned i = 0; i < N_TIRS; i++)
		self->tir[i] = core_rig_make_tir(&self->r, rq.rqn);
	self->table = core_rig_make_table(&self->r, 0, 10);
	core_rig_set_root(&self->r, self->table);
	udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .fill = 0 });
}

FIXTURE_TEARDOWN(steer)
{
	core_rig_close(&self->r);
}

static struct emu_verdict steer_frame(struct ct_fix_steer *self)
{
	const struct emu_frame f = { self->frame, FRAME };
	struct emu_verdict v;
	struct emu_parsed p;

	emu_parse_frame(&f, &(struct emu_vxlan){ 1, { EMU_VXLAN_PORT } }, &p);
	emu_steer_frame(self->r.emu, &f, &p, &v);
	return v;
}

/* Adds a rule that forwards to self->tir[@tir], with flow tag @tir + 1. */
static void add_forward(struct ct_fix_steer *self, uint32_t table, uint32_t group, uint32_t index,
			const struct prm_fte_match_param *value, unsigned tir)
{
	const struct core_rig_rule rule = { .table = table,
					    .group = group,
					    .index = index,
					    .tag = tir + 1,
					    .action = FORWARD,
					    .value = value,
					    .n_dests = 1,
					    .dest = { { TO_TIR, self->tir[tir] } } };

	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
}

static void expect_tir(struct ct_fix_steer *self, unsigned tir)
{
	const struct emu_verdict v = steer_frame(self);

	EXPECT_FALSE(v.missed);
	ASSERT_EQ(1, v.n_tirs);
	EXPECT_EQ(self->tir[tir], v.to[0].tir->obj.id);
	EXPECT_EQ(tir + 1, v.to[0].flow_tag);
}

TEST_F(steer, no_rule_is_a_miss)
{
	const struct emu_verdict v = steer_frame(self);

	EXPECT_TRUE(v.missed);
	EXPECT_EQ(0, v.n_tirs);
}

TEST_F(steer, no_root_is_a_miss)
{
	self->r.emu->rx_root = NULL;
	EXPECT_TRUE(steer_frame(self).missed);
}

/* Groups are created in any order; the matching entry with the lowest flow index wins. */
TEST_F(steer, the_lowest_index_wins)
{
	const uint32_t late = core_rig_make_group(&self->r, self->table, 100, 199, NULL);
	const uint32_t early = core_rig_make_group(&self->r, self->table, 0, 99, NULL);

	add_forward(self, self->table, late, 100, NULL, 0);
	expect_tir(self, 0);
	add_forward(self, self->table, early, 50, NULL, 1);
	expect_tir(self, 1);
	add_forward(self, self->table, early, 7, NULL, 2);
	expect_tir(self, 2);
}

TEST_F(steer, a_miss_goes_to_the_miss_table)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out;
	struct prm_flow_table_context *ctx = prm_sub(&in, flow_table_context);
	const uint32_t last = core_rig_make_table(&self->r, 5, 4);

	prm_set(ctx, level, 1);
	prm_set(ctx, log_size, 4);
	prm_set(ctx, table_miss_action, PRM_FLOW_TABLE_MISS_ACTION_FWD);
	prm_set(ctx, table_miss_id, last);
	CORE_RIG_OK(&self->r, create_flow_table, &in, &out);
	core_rig_set_root(&self->r, (uint32_t)prm_get(&out, table_id));
	add_forward(self, last, core_rig_make_group(&self->r, last, 0, 3, NULL), 0, NULL, 1);
	expect_tir(self, 1);
}

TEST_F(steer, rule_may_lead_to_tables_and_several_tirs)
{
	const uint32_t next = core_rig_make_table(&self->r, 2, 4);
	const struct core_rig_rule rule = {
		.table = self->table,
		.group = core_rig_make_group(&self->r, self->table, 0, 0, NULL),
		.action = FORWARD,
		.tag = 77,
		.n_dests = 3,
		.dest = { { TO_TIR, self->tir[0] }, { TO_TABLE, next }, { TO_TIR, self->tir[2] } },
	};
	struct emu_verdict v;

	add_forward(self, next, core_rig_make_group(&self->r, next, 0, 0, NULL), 0, NULL, 1);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	v = steer_frame(self);
	ASSERT_EQ(3, v.n_tirs);
	EXPECT_EQ(self->tir[0], v.to[0].tir->obj.id);
	EXPECT_EQ(77, v.to[0].flow_tag);
	EXPECT_EQ(self->tir[1], v.to[1].tir->obj.id);
	EXPECT_EQ(2, v.to[1].flow_tag);
	EXPECT_EQ(self->tir[2], v.to[2].tir->obj.id);
}

TEST_F(steer, rule_may_drop_and_count)
{
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out;
	struct emu_flow_counter *counter;
	struct core_rig_rule rule = { .table = self->table, .action = DROP | COUNT };

	CORE_RIG_OK(&self->r, alloc_flow_counter, &in, &out);
	rule.counter = (uint32_t)prm_get(&out, flow_counter_id);
	rule.group = core_rig_make_group(&self->r, self->table, 0, 0, NULL);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	counter = emu_obj_at(&self->r.emu->table[EMU_FLOW_COUNTER], rule.counter);
	for (unsigned i = 0; i < 3; i++)
		emu_port_rx(self->r.emu, &(struct emu_frame){ self->frame, FRAME }, true);
	EXPECT_FALSE(steer_frame(self).missed);
	EXPECT_EQ(3, counter->packets);
	EXPECT_EQ(3 * FRAME, counter->bytes);
	EXPECT_EQ(3, self->r.emu->vport.rx_dropped);
}

TEST_F(steer, rule_may_allow_and_count)
{
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out;
	struct core_rig_rule rule = { .table = self->table, .action = ALLOW | COUNT };
	struct emu_verdict v;

	CORE_RIG_OK(&self->r, alloc_flow_counter, &in, &out);
	rule.counter = (uint32_t)prm_get(&out, flow_counter_id);
	rule.group = core_rig_make_group(&self->r, self->table, 0, 0, NULL);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	v = steer_frame(self);
	EXPECT_TRUE(v.missed); /* the frame goes where a frame without a rule goes */
	EXPECT_EQ(0, v.n_tirs);
	EXPECT_EQ(1, v.n_counters);
}

static struct prm_fte_match_set_lyr_2_4 *get_outer(struct prm_fte_match_param *p)
{
	return prm_sub(p, outer_headers);
}

static void set_address(struct prm_fte_match_param *p, bool dst, const uint8_t *bytes, unsigned n)
{
	uint8_t *at = (uint8_t *)(dst ? (void *)prm_sub(get_outer(p), dst_ipv4_dst_ipv6)
				      : (void *)prm_sub(get_outer(p), src_ipv4_src_ipv6));

	memcpy(at + 16 - n, bytes, n);
}

TEST_F(steer, matches_addresses)
{
	for (unsigned i = 0; i < 4; i++) {
		const bool six = i & 1, dst = i & 2;
		const unsigned n = six ? 16 : 4, off = 14 + (six ? 8 : 12) + (dst ? n : 0);
		struct prm_fte_match_param mask = { 0 }, value = { 0 };
		const uint32_t table = core_rig_make_table(&self->r, 0, 4);
		uint8_t ones[16];

		SCOPED_TRACE("%s %s", six ? "IPv6" : "IPv4", dst ? "destination" : "source");
		core_rig_set_root(&self->r, table);
		udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .v6 = six });
		memset(ones, 0xff, sizeof(ones));
		set_address(&mask, dst, ones, n);
		set_address(&value, dst, self->frame + off, n);
		add_forward(self, table, core_rig_make_group(&self->r, table, 0, 0, &mask), 0,
			    &value, 2);
		expect_tir(self, 2);
		self->frame[off + n - 1] ^= 1;
		EXPECT_TRUE(steer_frame(self).missed);
	}
}
