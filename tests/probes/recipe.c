/* SPDX-License-Identifier: BSD-3-Clause */
#include "recipe.h"

#include <string.h>

enum {
	LOG_CQ = 6,
	LOG_WQEBB = 6,
	LOG_SQ = 6,
	LOG_RQ_STRIDE = 4,
	LOG_RQ = 6,
	TABLE_LEVEL = 60,
	LOG_TABLE = 2,
	ONE = 1
};

#define NUMBER(thing) (s->o[THING_##thing].number)
/* Defines the function that fills the input `in` of one command. */
#define FILL(command)                                                                              \
	static size_t fill_##command(struct prm_##command##_in *in, const struct world *w,         \
				     const struct set *s);                                         \
	static size_t any_##command(void *in, const struct world *w, const struct set *s)          \
	{                                                                                          \
		return fill_##command(in, w, s);                                                   \
	}                                                                                          \
	static size_t fill_##command(__attribute__((unused)) struct prm_##command##_in *in,        \
				     __attribute__((unused)) const struct world *w,                \
				     __attribute__((unused)) const struct set *s)

/* ---- create ----------------------------------------------------------------------- */

FILL(create_mkey)
{
	enum { LOG_PAGE = 12 };
	struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);

	prm_set(in, mkey_umem_id, NUMBER(umem));
	prm_set(in, mkey_umem_offset, AT_DATA);
	prm_set(in, translations_octword_actual_size, ONE);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, pd, NUMBER(alloc_pd));
	prm_set(mkc, len, PAGE);
	prm_set(mkc, translations_octword_size, ONE);
	prm_set(mkc, log_page_size, LOG_PAGE);
	return 0;
}

FILL(create_cq)
{
	struct prm_cqc *cqc = prm_sub(in, cq_context);

	prm_set(in, cq_umem_id, NUMBER(umem));
	prm_set(in, cq_umem_offset, AT_CQ);
	prm_set(cqc, log_cq_size, LOG_CQ);
	prm_set(cqc, uar_page, NUMBER(uar));
	prm_set(cqc, c_eqn_or_apu_element, w->eqn);
	prm_set(cqc, dbr_umem_id, NUMBER(umem));
	prm_set(cqc, dbr_addr, AT_DBR);
	return 0;
}

FILL(create_tis)
{
	prm_set(prm_sub(in, ctx), transport_domain, NUMBER(alloc_transport_domain));
	return 0;
}

static void fill_wq(struct prm_wq *wq, const struct set *s, uint64_t ring, uint64_t dbr)
{
	prm_set(wq, wq_type, PRM_WQ_TYPE_CYCLIC);
	prm_set(wq, pd, NUMBER(alloc_pd));
	prm_set(wq, wq_umem_id, NUMBER(umem));
	prm_set(wq, wq_umem_offset, ring);
	prm_set(wq, dbr_umem_id, NUMBER(umem));
	prm_set(wq, dbr_addr, dbr);
}

FILL(create_sq)
{
	struct prm_sqc *sqc = prm_sub(in, ctx);
	struct prm_wq *wq = prm_sub(sqc, wq);

	fill_wq(wq, s, AT_SQ, AT_DBR + DBR_BYTES);
	prm_set(wq, log_wq_stride, LOG_WQEBB);
	prm_set(wq, log_wq_sz, LOG_SQ);
	prm_set(wq, uar_page, NUMBER(uar));
	prm_set(sqc, cqn, NUMBER(create_cq));
	prm_set(sqc, tis_lst_sz, 1);
	prm_set(sqc, tis_num_0, NUMBER(create_tis));
	return 0;
}

FILL(create_rq)
{
	struct prm_rqc *rqc = prm_sub(in, ctx);
	struct prm_wq *wq = prm_sub(rqc, wq);

	fill_wq(wq, s, AT_RQ, AT_DBR + 2 * DBR_BYTES);
	prm_set(wq, log_wq_stride, LOG_RQ_STRIDE);
	prm_set(wq, log_wq_sz, LOG_RQ);
	prm_set(rqc, vsd, 1);
	prm_set(rqc, cqn, NUMBER(create_cq));
	return 0;
}

FILL(create_rmp)
{
	fill_wq(prm_sub(prm_sub(in, ctx), wq), s, AT_RQ, AT_DBR + 3 * DBR_BYTES);
	return 0;
}

static size_t fill_rqtc(struct prm_rqtc *rqtc, const struct set *s)
{
	prm_set(rqtc, rqt_actual_size, 1);
	prm_set(prm_sub_at(rqtc, rq_num, 0), rq_num, NUMBER(create_rq));
	return prm_rq_num_bytes;
}

FILL(create_rqt)
{
	prm_set(prm_sub(in, rqt_context), rqt_max_size, 1);
	return fill_rqtc(prm_sub(in, rqt_context), s);
}

FILL(create_tir)
{
	prm_set(prm_sub(in, ctx), inline_rqn, NUMBER(create_rq));
	prm_set(prm_sub(in, ctx), transport_domain, NUMBER(alloc_transport_domain));
	return 0;
}

FILL(create_flow_table)
{
	prm_set(prm_sub(in, flow_table_context), level, TABLE_LEVEL);
	prm_set(prm_sub(in, flow_table_context), log_size, LOG_TABLE);
	return 0;
}

/* A group of entries 0 and 1; if that one exists, of the last two entries. */
FILL(create_flow_group)
{
	const unsigned first = s->o[THING_create_flow_group].made ? 2 : 0;

	prm_set(in, table_id, NUMBER(create_flow_table));
	prm_set(in, start_flow_index, first);
	prm_set(in, end_flow_index, first + 1);
	return 0;
}

FILL(set_fte)
{
	struct prm_flow_context *ctx = prm_sub(in, flow_context);
	struct prm_dest_format_struct *dest = (void *)(in + 1);

	prm_set(in, table_id, NUMBER(create_flow_table));
	prm_set(in, flow_index, s->o[THING_set_fte].made); /* entry 0, and later entry 1 */
	prm_set(ctx, group_id, NUMBER(create_flow_group));
	prm_set(ctx, action, PRM_FLOW_CONTEXT_ACTION_FWD_DEST);
	prm_set(ctx, destination_list_size, 1);
	prm_set(dest, destination_type, PRM_FLOW_DESTINATION_TYPE_TIR);
	prm_set(dest, destination_id, NUMBER(create_tir));
	return sizeof(*dest);
}

/* ---- modify: without a change where possible ----------------------------------------- */

FILL(modify_cq)
{
	return 0;
}

FILL(modify_tis)
{
	prm_set(prm_sub(in, bitmask), prio, 1);
	return 0;
}

FILL(modify_tir)
{
	prm_set(prm_sub(in, bitmask), self_lb_en, 1);
	return 0;
}

FILL(modify_rqt)
{
	prm_set(prm_sub(in, bitmask), rqn_list, 1);
	return fill_rqtc(prm_sub(in, ctx), s);
}

FILL(modify_flow_table)
{
	prm_set(in, modify_field_select, PRM_MODIFY_FLOW_TABLE_MISS_TABLE_ID);
	return 0;
}

static size_t modify_fte(void *in, const struct world *w, const struct set *s)
{
	prm_set((struct prm_set_fte_in *)in, op_mod, PRM_SET_FTE_OP_MOD_MODIFY);
	prm_set((struct prm_set_fte_in *)in, modify_enable_mask, PRM_SET_FTE_MODIFY_ENABLE_ACTION);
	return any_set_fte(in, w, s);
}

/* ---- query ------------------------------------------------------------------------- */

FILL(query_flow_group)
{
	prm_set(in, table_id, NUMBER(create_flow_table));
	return 0;
}

FILL(query_fte)
{
	prm_set(in, table_id, NUMBER(create_flow_table));
	return 0;
}

FILL(query_hca_cap)
{
	prm_set(in, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	return 0;
}

/* A RoCE address index that no profile has, so that the answer does not depend on RoCE. */
FILL(query_roce_address)
{
	prm_set(in, roce_address_index, 0xffff);
	return 0;
}

/* ---- the table --------------------------------------------------------------------- */

/* clang-format off */
#define AT(command, field) (sizeof(((struct prm_##command##_in *)0)->map->field.at) - 1)
#define WIDTH(command, field) sizeof(((struct prm_##command##_in *)0)->map->field.width)
#define CREATE(command, fill_, ...)                                                         \
	{ .by = BY_CREATE, .opcode = PRM_OP_##command, .fill = (fill_), __VA_ARGS__ }
#define SUBJECT(by_, command, subject_, field, fill_, ...)                                  \
	{ .by = (by_), .opcode = PRM_OP_##command, .subject = THING_##subject_,              \
	  .fill = (fill_), .id_bit = AT(command, field), .id_width = WIDTH(command, field),  \
	  __VA_ARGS__ }
#define QUERY(command, subject, field, fill, ...)                                           \
	SUBJECT(BY_QUERY, command, subject, field, fill, __VA_ARGS__)
#define MODIFY(command, subject, field, fill, ...)                                          \
	SUBJECT(BY_MODIFY, command, subject, field, fill, __VA_ARGS__)
#define GENERAL(command, fill_, ...)                                                        \
	{ .by = BY_GENERAL, .opcode = PRM_OP_##command, .fill = (fill_), __VA_ARGS__ }
/* The kernel sets umem bits in the whole layout, even if the input is shorter. */
#define WHOLE(command) .touched = sizeof(struct prm_##command##_in)
/* clang-format on */

static const struct recipe recipes[] = {
	CREATE(alloc_pd, NULL),
	CREATE(alloc_transport_domain, NULL),
	CREATE(alloc_xrcd, NULL),
	CREATE(alloc_q_counter, NULL),
	CREATE(alloc_flow_counter, NULL),
	CREATE(create_mkey, any_create_mkey),
	CREATE(create_cq, any_create_cq, .touched = 0x60),
	CREATE(create_tis, any_create_tis),
	CREATE(create_sq, any_create_sq, .touched = 0x80),
	CREATE(create_rq, any_create_rq, .touched = 0x80),
	CREATE(create_rmp, any_create_rmp, .touched = 0x80),
	CREATE(create_rqt, any_create_rqt),
	CREATE(create_tir, any_create_tir),
	CREATE(create_qp, NULL, WHOLE(create_qp)),
	CREATE(create_xrc_srq, NULL, .touched = 0x60),
	CREATE(create_flow_table, any_create_flow_table),
	CREATE(create_flow_group, any_create_flow_group),
	CREATE(set_fte, any_set_fte),
	MODIFY(modify_cq, create_cq, cqn, any_modify_cq, .touched = 0x60),
	MODIFY(modify_sq, create_sq, sqn, NULL),
	MODIFY(modify_rq, create_rq, rqn, NULL),
	MODIFY(modify_rmp, create_rmp, rmpn, NULL),
	MODIFY(modify_rqt, create_rqt, rqtn, any_modify_rqt),
	MODIFY(modify_tir, create_tir, tirn, any_modify_tir),
	MODIFY(modify_tis, create_tis, tisn, any_modify_tis),
	MODIFY(modify_flow_table, create_flow_table, table_id, any_modify_flow_table),
	MODIFY(set_fte, set_fte, flow_index, modify_fte),
	QUERY(query_mkey, create_mkey, mkey_index, NULL),
	QUERY(query_cq, create_cq, cqn, NULL),
	QUERY(query_sq, create_sq, sqn, NULL),
	QUERY(query_rq, create_rq, rqn, NULL),
	QUERY(query_rmp, create_rmp, rmpn, NULL),
	QUERY(query_rqt, create_rqt, rqtn, NULL, .out_tail = prm_rq_num_bytes),
	QUERY(query_tir, create_tir, tirn, NULL),
	QUERY(query_tis, create_tis, tisn, NULL),
	QUERY(query_q_counter, alloc_q_counter, counter_set_id, NULL),
	QUERY(query_flow_counter, alloc_flow_counter, flow_counter_id, NULL,
	      .out_tail = prm_traffic_counter_bytes),
	QUERY(query_flow_table, create_flow_table, table_id, NULL),
	QUERY(query_flow_group, create_flow_group, group_id, any_query_flow_group),
	QUERY(query_fte, set_fte, flow_index, any_query_fte,
	      .out_tail = prm_dest_format_struct_bytes),
	GENERAL(query_hca_cap, any_query_hca_cap),
	GENERAL(query_adapter, NULL),
	GENERAL(query_issi, NULL),
	GENERAL(query_roce_address, any_query_roce_address),
	GENERAL(query_vport_state, NULL),
	GENERAL(query_nic_vport_context, NULL),
	GENERAL(query_vnic_env, NULL),
	GENERAL(query_lag, NULL),
	GENERAL(query_vport_counter, NULL),
	GENERAL(nop, NULL),
};

const struct recipe *recipe_of(enum entry by, uint16_t opcode)
{
	if (by == BY_ASYNC)
		by = BY_QUERY;
	for (size_t i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++)
		if (recipes[i].by == by && recipes[i].opcode == opcode)
			return &recipes[i];
	return NULL;
}

size_t recipe_make(const struct recipe *r, uint16_t opcode, void *in, const struct world *w,
		   const struct set *s)
{
	size_t tail = 0;

	memset(in, 0, COMMAND_BYTES);
	if (r && r->fill)
		tail = r->fill(in, w, s);
	prm_set((struct prm_general_obj_in_cmd_hdr *)in, opcode, opcode);
	if (r && r->id_width)
		recipe_name_subject(r, in, s->o[r->subject].number);
	return prm_command_of(opcode)->in->bytes + tail;
}

void recipe_name_subject(const struct recipe *r, void *in, uint32_t number)
{
	prm_set_(in, r->id_bit, r->id_width, number & (UINT64_MAX >> (64 - r->id_width)));
}
