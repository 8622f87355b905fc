/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_steer.h"
#include "emu/steering/rss.h"

#include <stdlib.h>
#include <string.h>

uint32_t core_rig_make_tir(struct core_rig *r, uint32_t rqn)
{
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out;
	struct prm_tirc *tirc = prm_sub(&in, ctx);

	prm_set(&in, uid, r->uid);
	prm_set(tirc, inline_rqn, rqn);
	prm_set(tirc, transport_domain, r->td);
	CORE_RIG_OK(r, create_tir, &in, &out);
	return (uint32_t)prm_get(&out, tirn);
}

void core_rig_set_self_lb(struct core_rig *r, uint32_t tirn, uint8_t bits)
{
	struct prm_modify_tir_in in = { 0 };
	struct prm_modify_tir_out out;

	prm_set(&in, uid, r->uid);
	prm_set(&in, tirn, tirn);
	prm_set(prm_sub(&in, bitmask), self_lb_en, 1);
	prm_set(prm_sub(&in, ctx), self_lb_block, bits);
	CORE_RIG_OK(r, modify_tir, &in, &out);
}

uint32_t core_rig_make_rqt(struct core_rig *r, const uint32_t *rqns, unsigned n)
{
	const size_t in_bytes = sizeof(struct prm_create_rqt_in) + n * prm_rq_num_bytes;
	struct prm_create_rqt_in *in = calloc(1, in_bytes);
	struct prm_create_rqt_out out;
	struct prm_rqtc *rqtc = prm_sub(in, rqt_context);

	prm_set(in, uid, r->uid);
	prm_set(rqtc, rqt_max_size, n);
	prm_set(rqtc, rqt_actual_size, n);
	for (unsigned i = 0; i < n; i++)
		prm_set(prm_sub_at(rqtc, rq_num, i), rq_num, rqns[i]);
	core_rig_expect_ok(__FILE__, __LINE__, r, "create_rqt",
			   core_rig_exec(r, PRM_OP_create_rqt, in, in_bytes, &out, sizeof(out)));
	free(in);
	return (uint32_t)prm_get(&out, rqtn);
}

uint32_t core_rig_make_rss_tir(struct core_rig *r, uint32_t rqtn, uint32_t outer,
			       const uint8_t *key, bool symmetric, bool tunneled)
{
	struct prm_create_tir_in in = { 0 };
	struct prm_create_tir_out out;
	struct prm_tirc *tirc = prm_sub(&in, ctx);

	prm_set(&in, uid, r->uid);
	prm_set(tirc, disp_type, PRM_TIRC_DISP_TYPE_INDIRECT);
	prm_set(tirc, indirect_table, rqtn);
	prm_set(tirc, rx_hash_fn, PRM_RX_HASH_FN_TOEPLITZ);
	prm_set(tirc, rx_hash_symmetric, symmetric);
	prm_set(tirc, tunneled_offload_en, tunneled);
	prm_set(tirc, transport_domain, r->td);
	prm_sub(tirc, rx_hash_field_selector_outer)->dw[0] = prm_be32_of(outer);
	memcpy(&tirc->dw[prm_bit(tirc, rx_hash_toeplitz_key) / 32], key, EMU_RSS_KEY_BYTES);
	CORE_RIG_OK(r, create_tir, &in, &out);
	return (uint32_t)prm_get(&out, tirn);
}

uint32_t core_rig_make_table(struct core_rig *r, unsigned level, unsigned log_size)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out;

	prm_set(prm_sub(&in, flow_table_context), level, level);
	prm_set(prm_sub(&in, flow_table_context), log_size, log_size);
	CORE_RIG_OK(r, create_flow_table, &in, &out);
	return (uint32_t)prm_get(&out, table_id);
}

void core_rig_set_root(struct core_rig *r, uint32_t table)
{
	struct prm_set_flow_table_root_in in = { 0 };
	struct prm_set_flow_table_root_out out;

	prm_set(&in, table_id, table);
	CORE_RIG_OK(r, set_flow_table_root, &in, &out);
}

/* Computes match_criteria_enable: one bit for each part of the mask that is not zero. */
static uint8_t parts_of(const struct prm_fte_match_param *mask)
{
	const size_t part_dws = sizeof(struct prm_fte_match_set_lyr_2_4) / sizeof(prm_be32);
	uint8_t enable = 0;

	for (size_t i = 0; i < sizeof(mask->dw) / sizeof(mask->dw[0]); i++)
		if (mask->dw[i].raw)
			enable |= (uint8_t)(1 << i / part_dws);
	return enable;
}

uint32_t core_rig_make_group(struct core_rig *r, uint32_t table, uint32_t first, uint32_t last,
			     const struct prm_fte_match_param *mask)
{
	struct prm_create_flow_group_in in = { 0 };
	struct prm_create_flow_group_out out;

	prm_set(&in, table_id, table);
	prm_set(&in, start_flow_index, first);
	prm_set(&in, end_flow_index, last);
	if (mask) {
		prm_set(&in, match_criteria_enable, parts_of(mask));
		*prm_sub(&in, match_criteria) = *mask;
	}
	CORE_RIG_OK(r, create_flow_group, &in, &out);
	return (uint32_t)prm_get(&out, group_id);
}

uint8_t core_rig_set_rule(struct core_rig *r, const struct core_rig_rule *rule)
{
	const bool counted = rule->action & 8;
	const size_t in_bytes = sizeof(struct prm_set_fte_in) +
				(rule->n_dests + counted) * prm_dest_format_struct_bytes;
	struct prm_set_fte_in *in = calloc(1, in_bytes);
	struct prm_set_fte_out out;
	struct prm_flow_context *ctx = prm_sub(in, flow_context);
	struct prm_dest_format_struct *entry = (struct prm_dest_format_struct *)(in + 1);
	uint8_t status;

	prm_set(in, table_id, rule->table);
	prm_set(in, flow_index, rule->index);
	prm_set(ctx, group_id, rule->group);
	prm_set(ctx, flow_tag, rule->tag);
	prm_set(ctx, action, rule->action);
	prm_set(ctx, destination_list_size, rule->n_dests);
	prm_set(ctx, flow_counter_list_size, counted);
	if (rule->value)
		*prm_sub(ctx, match_value) = *rule->value;
	for (unsigned i = 0; i < rule->n_dests; i++, entry++) {
		prm_set(entry, destination_type, rule->dest[i].type);
		prm_set(entry, destination_id, rule->dest[i].id);
	}
	if (counted)
		entry->dw[0] = prm_be32_of(rule->counter);
	status = core_rig_exec(r, PRM_OP_set_fte, in, in_bytes, &out, sizeof(out));
	free(in);
	return status;
}

void core_rig_steer_all(struct core_rig *r, uint32_t tir)
{
	const uint32_t table = core_rig_make_table(r, 0, 0);
	const uint32_t group = core_rig_make_group(r, table, 0, 0, NULL);

	core_rig_set_root(r, table);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_set_rule(r, &(struct core_rig_rule){ .table = table,
								.group = group,
								.action = 4,
								.n_dests = 1,
								.dest = { { 2, tir } } }));
}
