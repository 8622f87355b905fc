/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flows, and the flow tables that mlx5_ib makes of them. Most rules drop, so that no queue is
 * needed. The tests of the driver show where packets go.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verbs_rig.h"
#include "rights.h"

enum { OUTER = PRM_MATCH_OUTER_HEADERS, MAX_PRIORITY = 15 };

FIXTURE(flow)
{
	struct ibv_context *ctx;
};

FIXTURE_SETUP(flow)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
}

FIXTURE_TEARDOWN(flow)
{
	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
	EXPECT_EQ(0, verbs_rig_read_counters().flows);
	EXPECT_EQ(0, verbs_rig_read_counters().handles);
}

/* A match mask or value as mlx5dv takes it: a size, then the parameters. */
struct match {
	size_t bytes;
	struct prm_fte_match_param param;
};

static struct prm_fte_match_set_lyr_2_4 *get_outer_headers(struct match *m)
{
	m->bytes = sizeof(m->param);
	return prm_sub(&m->param, outer_headers);
}

static struct mlx5dv_flow_matcher *create_matcher_of(struct ibv_context *ctx, struct match *mask,
						     uint16_t priority,
						     enum mlx5dv_flow_table_type type)
{
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.priority = priority,
		.match_criteria_enable = OUTER,
		.match_mask = (void *)mask,
		.comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE,
		.ft_type = type,
	};

	return mlx5dv_create_flow_matcher(ctx, &attr);
}

static struct mlx5dv_flow_matcher *create_matcher(struct ibv_context *ctx, struct match *mask,
						  uint16_t priority)
{
	return create_matcher_of(ctx, mask, priority, MLX5DV_FLOW_TABLE_TYPE_NIC_RX);
}

static struct ibv_flow *create_drop_flow(struct mlx5dv_flow_matcher *m, struct match *value)
{
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DROP };

	return mlx5dv_create_flow(m, (void *)value, 1, &action);
}

static struct match dmac_mask(uint32_t high)
{
	struct match m = { 0 };

	prm_set(get_outer_headers(&m), dmac_47_16, high);
	return m;
}

TEST_F(flow, matcher_is_busy_until_its_flow_is_destroyed)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct ibv_flow *flow;

	ASSERT_NE(NULL, m);
	flow = create_drop_flow(m, &value);
	ASSERT_NE(NULL, flow);
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().flows);
	EXPECT_EQ(EBUSY, mlx5dv_destroy_flow_matcher(m));
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, close_destroys_rules_and_matchers)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 3);
	struct ibv_flow *flow = create_drop_flow(m, &value);

	ASSERT_NE(NULL, flow);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	free(flow);
	free(m);
}

TEST_F(flow, priority_above_15_is_refused)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);

	for (uint16_t p = 0; p <= MAX_PRIORITY + 1; p++) {
		struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, p);
		struct ibv_flow *flow;

		SCOPED_TRACE("priority %u", p);
		ASSERT_NE(NULL, m);
		flow = create_drop_flow(m, &value);
		if (p <= MAX_PRIORITY) {
			ASSERT_NE(NULL, flow);
			EXPECT_EQ(0, ibv_destroy_flow(flow));
		} else {
			EXPECT_EQ(NULL, flow);
			EXPECT_EQ(ENOMEM, errno);
		}
		EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
	}
}

TEST_F(flow, a_value_outside_its_mask_is_refused)
{
	struct match mask = dmac_mask(0xffff0000), value = dmac_mask(0x02000001);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);

	EXPECT_EQ(NULL, create_drop_flow(m, &value));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, same_match_with_another_tag_fails_with_eexist)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct mlx5dv_flow_action_attr action[2] = {
		{ .type = MLX5DV_FLOW_ACTION_DROP },
		{ .type = MLX5DV_FLOW_ACTION_TAG, .tag_value = 1 },
	};
	struct ibv_flow *first = mlx5dv_create_flow(m, (void *)&value, 2, action), *same;

	ASSERT_NE(NULL, first);
	same = mlx5dv_create_flow(m, (void *)&value, 2, action);
	EXPECT_NE(NULL, same); /* both share a flow table entry */
	action[1].tag_value = 2;
	EXPECT_EQ(NULL, mlx5dv_create_flow(m, (void *)&value, 2, action));
	EXPECT_EQ(EEXIST, errno);
	action[1].tag_value = 1u << 24;
	EXPECT_EQ(NULL, mlx5dv_create_flow(m, (void *)&value, 2, action));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ibv_destroy_flow(first));
	EXPECT_EQ(0, ibv_destroy_flow(same));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

/* The first six masks of a priority get a large flow group each; later ones have one entry. */
TEST_F(flow, seventh_mask_gets_one_group_per_rule)
{
	enum { N = 8 };
	struct mlx5dv_flow_matcher *m[N];
	struct ibv_flow *flow[N][2];

	for (unsigned i = 0; i < N; i++) {
		struct match mask = dmac_mask(0xff000000 | 0x3u << 2 * i);
		struct match one = dmac_mask(0x02000000), two = dmac_mask(0x04000000);

		SCOPED_TRACE("mask %u", i);
		m[i] = create_matcher(self->ctx, &mask, 0);
		flow[i][0] = create_drop_flow(m[i], &one);
		flow[i][1] = create_drop_flow(m[i], &two);
		EXPECT_NE(NULL, flow[i][0]);
		EXPECT_NE(NULL, flow[i][1]); /* a second flow group if i >= 6 */
	}
	EXPECT_EQ_ON_EMU(2 * N, verbs_rig_read_counters().flows);
	for (unsigned i = 0; i < N; i++) {
		EXPECT_EQ(0, ibv_destroy_flow(flow[i][0]));
		EXPECT_EQ(0, ibv_destroy_flow(flow[i][1]));
		EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m[i]));
	}
}

TEST_F(flow, rules_of_one_mask_have_their_own_tags)
{
	enum { N = 3 };
	struct match mask = dmac_mask(0xffffffff);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct mlx5dv_flow_action_attr action[2] = { { .type = MLX5DV_FLOW_ACTION_DROP },
						     { .type = MLX5DV_FLOW_ACTION_TAG } };
	struct ibv_flow *flow[N];

	for (uint32_t i = 0; i < N; i++) {
		struct match value = dmac_mask(0x02000000 + i);

		action[1].tag_value = i;
		flow[i] = mlx5dv_create_flow(m, (void *)&value, 2, action);
		ASSERT_NE(NULL, flow[i]);
	}
	for (uint32_t i = 0; i < N; i++) { /* the one in the middle goes first */
		struct match value = dmac_mask(0x02000000 + (i + 1) % N);

		EXPECT_EQ(0, ibv_destroy_flow(flow[(i + 1) % N]));
		action[1].tag_value = 100 + i;
		flow[(i + 1) % N] = mlx5dv_create_flow(m, (void *)&value, 2, action);
		ASSERT_NE(NULL, flow[(i + 1) % N]);
	}
	EXPECT_EQ_ON_EMU(N, verbs_rig_read_counters().flows);
	for (unsigned i = 0; i < N; i++)
		EXPECT_EQ(0, ibv_destroy_flow(flow[i]));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, tables_of_priorities_come_and_go_in_any_order)
{
	static const uint16_t priorities[] = { 5, 9, 2, 12, 0, 7 };
	enum { N = sizeof(priorities) / sizeof(priorities[0]) };
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m[N];
	struct ibv_flow *flow[N];

	for (unsigned turn = 0; turn < 2; turn++) {
		for (unsigned i = 0; i < N; i++) {
			m[i] = create_matcher(self->ctx, &mask, priorities[i]);
			ASSERT_NE(NULL, m[i]);
			flow[i] = create_drop_flow(m[i], &value);
			ASSERT_NE(NULL, flow[i]);
		}
		EXPECT_EQ_ON_EMU(N, verbs_rig_read_counters().flows);
		for (unsigned k = 0; k < N; k++) {
			const unsigned i = turn ? N - 1 - k : k;

			EXPECT_EQ(0, ibv_destroy_flow(flow[i]));
			EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m[i]));
		}
	}
}

TEST_F(flow, rule_of_the_send_side_needs_tables_there)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m =
		create_matcher_of(self->ctx, &mask, 0, MLX5DV_FLOW_TABLE_TYPE_NIC_TX);

	ASSERT_NE(NULL, m);
	if (!emu_if_any()) {
		mlx5dv_destroy_flow_matcher(m);
		SKIP("an adapter may have tables there");
	}
	EXPECT_EQ(NULL, create_drop_flow(m, &value));
	EXPECT_EQ(EOPNOTSUPP, errno);
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, counter_of_devx_is_in_use_while_a_rule_counts_there)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out = { 0 };
	struct mlx5dv_flow_action_attr action[2] = {
		{ .type = MLX5DV_FLOW_ACTION_DROP },
		{ .type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX },
	};
	struct ibv_flow *flow;

	prm_set(&in, opcode, PRM_OP_alloc_flow_counter);
	action[1].obj = VERBS_RIG_CREATE(self->ctx, in, out);
	ASSERT_NE(NULL, action[1].obj);
	flow = mlx5dv_create_flow(m, (void *)&value, 2, action);
	ASSERT_NE(NULL, flow);
	EXPECT_EQ(EINVAL, mlx5dv_devx_obj_destroy(action[1].obj));
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(action[1].obj));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, default_miss_is_a_valid_action)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DEFAULT_MISS };
	struct ibv_flow *flow = mlx5dv_create_flow(m, (void *)&value, 1, &action);

	EXPECT_NE(NULL, flow);
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, pd_as_destination_is_refused)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	uint32_t pdn;
	struct mlx5dv_devx_obj *pd = verbs_rig_create_pd(self->ctx, &pdn);
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX, .obj = pd };

	EXPECT_EQ(NULL, mlx5dv_create_flow(m, (void *)&value, 1, &action));
	EXPECT_EQ(EINVAL, errno);
	if (emu_if_any()) { /* on a refusal by firmware, Linux 6.12 prints a WARN */
		EXPECT_EQ(NULL,
			  mlx5dv_create_flow(m, (void *)&value, 0, NULL)); /* no destination */
		EXPECT_EQ(EINVAL, errno);
	}
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(pd));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, devx_flow_table_is_a_valid_destination)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out = { 0 };
	struct mlx5dv_flow_action_attr action = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
	struct ibv_flow *flow;

	prm_set(&in, opcode, PRM_OP_create_flow_table);
	prm_set(prm_sub(&in, flow_table_context), level, 64);
	action.obj = VERBS_RIG_CREATE(self->ctx, in, out);
	ASSERT_NE(NULL, action.obj);
	flow = mlx5dv_create_flow(m, (void *)&value, 1, &action);
	ASSERT_NE(NULL, flow);
	EXPECT_EQ(EINVAL, mlx5dv_devx_obj_destroy(action.obj)); /* in use */
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(action.obj));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

TEST_F(flow, steering_needs_cap_net_raw)
{
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 0);

	ASSERT_TRUE(rights_raw(false));
	EXPECT_EQ(NULL, create_drop_flow(m, &value));
	EXPECT_EQ(EPERM, errno);
	ASSERT_TRUE(rights_raw(true));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}

/* Makes each command of the first rule fail in turn, then none. */
TEST_F(flow, failed_first_rule_leaves_nothing_behind)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct match mask = dmac_mask(0xffffffff), value = dmac_mask(0x02000000);
	struct mlx5dv_flow_matcher *m = create_matcher(self->ctx, &mask, 2);
	struct ibv_flow *flow = NULL;
	int k;

	NEEDS_EMU("to make a command fail");
	for (k = 0; !flow && k < 20; k++) {
		SCOPED_TRACE("command %d fails", k);
		emu->fail(DEVX_EMU_FAIL_COMMAND, k, PRM_STATUS_LIM_ERR);
		flow = create_drop_flow(m, &value);
		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		EXPECT_EQ_ON_EMU(flow ? 1 : 0, verbs_rig_read_counters().flows);
	}
	EXPECT_EQ(5, k); /* failed at table, root, group and entry; succeeded in the fifth turn */
	ASSERT_NE(NULL, flow);
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	EXPECT_EQ(0, mlx5dv_destroy_flow_matcher(m));
}
