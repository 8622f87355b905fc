/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_commands.h"
#include "core_rig_queue.h"
#include "core_rig_steer.h"

static uint32_t make_flow_counter(struct core_rig *r)
{
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out;

	CORE_RIG_OK(r, alloc_flow_counter, &in, &out);
	return (uint32_t)prm_get(&out, flow_counter_id);
}

void flow_commands_fill(struct core_rig *r, struct flow_commands *c)
{
	struct prm_flow_context *ctx = prm_sub(&c->fte.head, flow_context);

	c->tir = core_rig_make_tir(r, core_rig_make_rq(r, 4, 0, core_rig_make_cq(r, 4).cqn).rqn);
	c->table = core_rig_make_table(r, LEVEL, LOG_SIZE);
	c->higher = core_rig_make_table(r, LEVEL + 1, 0);
	c->lower = core_rig_make_table(r, LEVEL, 0);
	c->counter = make_flow_counter(r);
	prm_set(prm_sub(&c->mask, outer_headers), ethertype, 0xffff);
	c->group = core_rig_make_group(r, c->table, FIRST, LAST, &c->mask);
	prm_set(&c->group_in, table_id, c->table);
	prm_set(&c->group_in, start_flow_index, LAST + 1);
	prm_set(&c->group_in, end_flow_index, LAST + 2);
	prm_set(&c->group_in, match_criteria_enable, OUTER);
	*prm_sub(&c->group_in, match_criteria) = c->mask;
	prm_set(&c->fte.head, table_id, c->table);
	prm_set(&c->fte.head, flow_index, FIRST);
	prm_set(ctx, group_id, c->group);
	prm_set(ctx, action, FORWARD);
	prm_set(ctx, destination_list_size, 1);
	prm_set(prm_sub(prm_sub(ctx, match_value), outer_headers), ethertype, 0x0800);
	prm_set(&c->fte.dest[0], destination_type, TO_TIR);
	prm_set(&c->fte.dest[0], destination_id, c->tir);
}
