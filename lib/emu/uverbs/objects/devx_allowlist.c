/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/devx.h"

/* SUBJECT(command, create command of its object, field with the object's number, modify?) */
#define SUBJECTS                                                                                   \
	SUBJECT(query_mkey, create_mkey, mkey_index, false)                                        \
	SUBJECT(query_cq, create_cq, cqn, false)                                                   \
	SUBJECT(modify_cq, create_cq, cqn, true)                                                   \
	SUBJECT(query_qp, create_qp, qpn, false)                                                   \
	SUBJECT(rst2init_qp, create_qp, qpn, true)                                                 \
	SUBJECT(init2rtr_qp, create_qp, qpn, true)                                                 \
	SUBJECT(rtr2rts_qp, create_qp, qpn, true)                                                  \
	SUBJECT(qp_2err, create_qp, qpn, true)                                                     \
	SUBJECT(qp_2rst, create_qp, qpn, true)                                                     \
	SUBJECT(query_sq, create_sq, sqn, false)                                                   \
	SUBJECT(modify_sq, create_sq, sqn, true)                                                   \
	SUBJECT(query_rq, create_rq, rqn, false)                                                   \
	SUBJECT(modify_rq, create_rq, rqn, true)                                                   \
	SUBJECT(query_rmp, create_rmp, rmpn, false)                                                \
	SUBJECT(modify_rmp, create_rmp, rmpn, true)                                                \
	SUBJECT(query_rqt, create_rqt, rqtn, false)                                                \
	SUBJECT(modify_rqt, create_rqt, rqtn, true)                                                \
	SUBJECT(query_tir, create_tir, tirn, false)                                                \
	SUBJECT(modify_tir, create_tir, tirn, true)                                                \
	SUBJECT(query_tis, create_tis, tisn, false)                                                \
	SUBJECT(modify_tis, create_tis, tisn, true)                                                \
	SUBJECT(query_flow_table, create_flow_table, table_id, false)                              \
	SUBJECT(modify_flow_table, create_flow_table, table_id, true)                              \
	SUBJECT(query_flow_group, create_flow_group, group_id, false)                              \
	SUBJECT(query_fte, set_fte, flow_index, false)                                             \
	SUBJECT(set_fte, set_fte, flow_index, true)                                                \
	SUBJECT(query_q_counter, alloc_q_counter, counter_set_id, false)                           \
	SUBJECT(query_flow_counter, alloc_flow_counter, flow_counter_id, false)

/*
 * Create commands that Linux allows but the firmware of emu refuses: with BAD_OP because it does
 * not implement them, or with BAD_PARAM because only a kernel may send them.
 */
static const uint16_t refused_creates[] = {
	PRM_OP_create_srq,
	PRM_OP_create_dct,
	PRM_OP_create_xrq,
	PRM_OP_create_scheduling_element,
	PRM_OP_attach_to_mcg,
	PRM_OP_add_vxlan_udp_dport,
	PRM_OP_set_l2_table_entry,
	PRM_OP_alloc_packet_reformat_context,
	PRM_OP_alloc_modify_header_context,
	PRM_OP_create_general_object,
};
enum { NUM_PSV_SHIFT = 28 };

/* Commands without an object, besides the range PRM_OP_GENERAL_START to PRM_OP_GENERAL_END. */
static const uint16_t general[] = {
	PRM_OP_query_hca_cap,
	PRM_OP_query_adapter,
	PRM_OP_query_issi,
	PRM_OP_query_esw_functions,
	PRM_OP_query_vport_state,
	PRM_OP_query_esw_vport_context,
	PRM_OP_query_nic_vport_context,
	PRM_OP_query_roce_address,
	PRM_OP_query_hca_vport_context,
	PRM_OP_query_vnic_env,
	PRM_OP_query_vport_counter,
	PRM_OP_get_dropped_packet_log,
	PRM_OP_nop,
	PRM_OP_query_cong_status,
	PRM_OP_query_cong_params,
	PRM_OP_query_cong_statistics,
	PRM_OP_query_lag,
};

static bool is_listed(uint16_t opcode, const uint16_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == opcode)
			return true;
	return false;
}

bool uv_devx_may_create(const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint16_t opcode = (uint16_t)prm_get(in, opcode);

	switch (opcode) {
#define CREATE(create, destroy, from, to) case PRM_OP_##create:
		UV_DEVX_CREATES
#undef CREATE
	case PRM_OP_create_flow_table:
	case PRM_OP_create_flow_group:
		return true;
	case PRM_OP_set_fte:
		/* obj_type of the header is op_mod of SET_FTE */
		return prm_get(in, obj_type) == PRM_SET_FTE_OP_MOD_SET;
	case PRM_OP_create_psv: /* num_psv is in the top bits of obj_id; Linux allows 1 */
		return prm_get(in, obj_id) >> NUM_PSV_SHIFT == 1;
	}
	return is_listed(opcode, refused_creates,
			 sizeof(refused_creates) / sizeof(refused_creates[0]));
}

bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint16_t opcode = (uint16_t)prm_get(in, opcode);

	return (opcode >= PRM_OP_GENERAL_START && opcode < PRM_OP_GENERAL_END) ||
	       is_listed(opcode, general, sizeof(general) / sizeof(general[0]));
}

/*
 * Returns true if the input ends before the object's number. Linux has no such check and reads past
 * the end of the input.
 */
#define ENDS_BEFORE(command, field)                                                                \
	(in_bytes * 8 < prm_bit((const struct prm_##command##_in *)in, field) +                    \
				prm_width((const struct prm_##command##_in *)in, field))

bool uv_devx_find_subject(const void *in, size_t in_bytes, bool modify, uint16_t *created_by,
			  uint32_t *id)
{
	const struct prm_general_obj_in_cmd_hdr *hdr = in;

	switch (prm_get(hdr, opcode)) {
#define SUBJECT(command, creator, field, is_modify)                                                \
	case PRM_OP_##command:                                                                     \
		if (ENDS_BEFORE(command, field))                                                   \
			return false;                                                              \
		*created_by = PRM_OP_##creator;                                                    \
		*id = (uint32_t)prm_get((const struct prm_##command##_in *)in, field);             \
		return modify == (is_modify);
		SUBJECTS
#undef SUBJECT
	}
	return false;
}
