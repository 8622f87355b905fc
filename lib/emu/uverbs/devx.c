/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/devx.h"

#include <string.h>

/*
 * Create commands that firmware here knows: CREATE(create, destroy, number in create's
 * output, number in destroy's input). Flow entries are their own case: they are numbered by
 * the user, and what destroys them needs more than a number.
 */
#define CREATES                                                                                    \
	CREATE(create_mkey, destroy_mkey, mkey_index, mkey_index)                                  \
	CREATE(create_cq, destroy_cq, cqn, cqn)                                                    \
	CREATE(alloc_pd, dealloc_pd, pd, pd)                                                       \
	CREATE(alloc_transport_domain, dealloc_transport_domain, transport_domain,                 \
	       transport_domain)                                                                   \
	CREATE(create_rmp, destroy_rmp, rmpn, rmpn)                                                \
	CREATE(create_sq, destroy_sq, sqn, sqn)                                                    \
	CREATE(create_rq, destroy_rq, rqn, rqn)                                                    \
	CREATE(create_rqt, destroy_rqt, rqtn, rqtn)                                                \
	CREATE(create_tir, destroy_tir, tirn, tirn)                                                \
	CREATE(create_tis, destroy_tis, tisn, tisn)                                                \
	CREATE(alloc_q_counter, dealloc_q_counter, counter_set_id, counter_set_id)                 \
	CREATE(alloc_flow_counter, dealloc_flow_counter, flow_counter_id, flow_counter_id)

/* Modify and query commands: SUBJECT(command, creator, number in its input, modify?) */
#define SUBJECTS                                                        \
	SUBJECT(query_mkey, create_mkey, mkey_index, false)             \
	SUBJECT(query_cq, create_cq, cqn, false)                        \
	SUBJECT(modify_cq, create_cq, cqn, true)                        \
	SUBJECT(query_sq, create_sq, sqn, false)                        \
	SUBJECT(modify_sq, create_sq, sqn, true)                        \
	SUBJECT(query_rq, create_rq, rqn, false)                        \
	SUBJECT(modify_rq, create_rq, rqn, true)                        \
	SUBJECT(query_rmp, create_rmp, rmpn, false)                     \
	SUBJECT(modify_rmp, create_rmp, rmpn, true)                     \
	SUBJECT(query_rqt, create_rqt, rqtn, false)                     \
	SUBJECT(modify_rqt, create_rqt, rqtn, true)                     \
	SUBJECT(query_tir, create_tir, tirn, false)                     \
	SUBJECT(modify_tir, create_tir, tirn, true)                     \
	SUBJECT(query_tis, create_tis, tisn, false)                     \
	SUBJECT(modify_tis, create_tis, tisn, true)                     \
	SUBJECT(query_flow_table, create_flow_table, table_id, false)   \
	SUBJECT(modify_flow_table, create_flow_table, table_id, true)   \
	SUBJECT(query_flow_group, create_flow_group, group_id, false)   \
	SUBJECT(query_fte, set_fte, flow_index, false)                  \
	SUBJECT(set_fte, set_fte, flow_index, true)                     \
	SUBJECT(query_q_counter, alloc_q_counter, counter_set_id, false) \
	SUBJECT(query_flow_counter, alloc_flow_counter, flow_counter_id, false)

/*
 * Create commands that Linux lets through and firmware here does not know: QP, PSV, SRQ, XRC
 * SRQ, DCT, XRQ, scheduling element, attach to multicast group, XRCD, VXLAN port, L2 entry,
 * packet reformat, modify header, general object. Firmware refuses them as BAD_OP.
 */
static const uint16_t unknown_creates[] = {
	0x500, 0x600, 0x700, 0x705, 0x710, 0x717, 0x782, 0x806, 0x80e, 0x827, 0x829, 0x93d, 0x940,
	0xa00,
};

/*
 * Commands without an object: capabilities, adapter, ISSI, vport, RoCE address, counters,
 * dropped packets, NOP, congestion, LAG. And a range.
 */
static const uint16_t general[] = {
	0x100, 0x101, 0x10a, 0x750, 0x752, 0x754, 0x760, 0x762, 0x76f, 0x770, 0x80a, 0x80d, 0x822,
	0x824, 0x826, 0x842,
};
enum { GENERAL_FIRST = 0xb00, GENERAL_END = 0xd00 };

static bool listed(uint16_t opcode, const uint16_t *list, size_t n)
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
	CREATES
#undef CREATE
	case PRM_OP_create_flow_table:
	case PRM_OP_create_flow_group:
		return true;
	case PRM_OP_set_fte:
		return prm_get(in, obj_type) == 0; /* op_mod: set, not modify */
	}
	return listed(opcode, unknown_creates,
		      sizeof(unknown_creates) / sizeof(unknown_creates[0]));
}

bool uv_devx_may_general(const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint16_t opcode = (uint16_t)prm_get(in, opcode);

	return (opcode >= GENERAL_FIRST && opcode < GENERAL_END) ||
	       listed(opcode, general, sizeof(general) / sizeof(general[0]));
}

bool uv_devx_subject(const void *in, bool modify, uint16_t *created_by, uint32_t *id)
{
	const struct prm_general_obj_in_cmd_hdr *hdr = in;

	switch (prm_get(hdr, opcode)) {
#define SUBJECT(command, creator, field, is_modify)                                         \
	case PRM_OP_##command:                                                              \
		*created_by = PRM_OP_##creator;                                             \
		*id = (uint32_t)prm_get((const struct prm_##command##_in *)in, field);      \
		return modify == (is_modify);
	SUBJECTS
#undef SUBJECT
	}
	return false;
}

/* Mailboxes shorter than their layout are firmware's to refuse; here they must not be overrun. */
#define FITS(command) (bytes >= sizeof(struct prm_##command##_in))

static void wq_in_umem(struct prm_wq *wq)
{
	prm_set(wq, dbr_umem_valid, 1);
	prm_set(wq, wq_umem_valid, 1);
}

static void mkey_in_umem(struct prm_create_mkey_in *in)
{
	enum { MODE_KLM = 2, MODE_KSM = 3 };
	const struct prm_mkc *mkc = prm_sub(in, memory_key_mkey_entry);
	const uint64_t mode = prm_get(mkc, access_mode_4_2) << 2 | prm_get(mkc, access_mode_1_0);

	if (mode != MODE_KLM && mode != MODE_KSM)
		prm_set(in, mkey_umem_valid, 1);
}

void uv_devx_force_umem(void *in, size_t bytes)
{
	const struct prm_general_obj_in_cmd_hdr *hdr = in;

	switch (prm_get(hdr, opcode)) {
	case PRM_OP_create_mkey:
		if (FITS(create_mkey))
			mkey_in_umem(in);
		break;
	case PRM_OP_create_cq:
		if (FITS(create_cq)) {
			prm_set((struct prm_create_cq_in *)in, cq_umem_valid, 1);
			prm_set(prm_sub((struct prm_create_cq_in *)in, cq_context), dbr_umem_valid,
				1);
		}
		break;
	case PRM_OP_modify_cq:
		if (FITS(modify_cq))
			prm_set((struct prm_modify_cq_in *)in, cq_umem_valid, 1);
		break;
	case PRM_OP_create_sq:
		if (FITS(create_sq))
			wq_in_umem(prm_sub(prm_sub((struct prm_create_sq_in *)in, ctx), wq));
		break;
	case PRM_OP_create_rq:
		if (FITS(create_rq))
			wq_in_umem(prm_sub(prm_sub((struct prm_create_rq_in *)in, ctx), wq));
		break;
	case PRM_OP_create_rmp:
		if (FITS(create_rmp))
			wq_in_umem(prm_sub(prm_sub((struct prm_create_rmp_in *)in, ctx), wq));
		break;
	}
}

/* ---- the command that destroys ---------------------------------------------------- */

/* Table, group and entry are known by where they are; all three share that head. */
#define COPY_PLACE(to, from)                                                                \
	do {                                                                                \
		prm_set((to), other_vport, prm_get((from), other_vport));                   \
		prm_set((to), vport_number, prm_get((from), vport_number));                 \
		prm_set((to), table_type, prm_get((from), table_type));                     \
	} while (0)

static void plan_flow(struct uv_devx *o, const void *in_, const void *out_)
{
	void *destroy = o->destroy;

	if (o->created_by == PRM_OP_create_flow_table) {
		struct prm_destroy_flow_table_in *d = destroy;

		o->id = (uint32_t)prm_get((const struct prm_create_flow_table_out *)out_, table_id);
		COPY_PLACE(d, (const struct prm_create_flow_table_in *)in_);
		prm_set(d, opcode, PRM_OP_destroy_flow_table);
		prm_set(d, table_id, o->id);
		o->destroy_bytes = sizeof(*d);
	} else if (o->created_by == PRM_OP_create_flow_group) {
		const struct prm_create_flow_group_in *in = in_;
		struct prm_destroy_flow_group_in *d = destroy;

		o->id = (uint32_t)prm_get((const struct prm_create_flow_group_out *)out_, group_id);
		COPY_PLACE(d, in);
		prm_set(d, opcode, PRM_OP_destroy_flow_group);
		prm_set(d, table_id, prm_get(in, table_id));
		prm_set(d, group_id, o->id);
		o->destroy_bytes = sizeof(*d);
	} else {
		const struct prm_set_fte_in *in = in_;
		struct prm_delete_fte_in *d = destroy;

		o->id = (uint32_t)prm_get(in, flow_index);
		COPY_PLACE(d, in);
		prm_set(d, opcode, PRM_OP_delete_fte);
		prm_set(d, table_id, prm_get(in, table_id));
		prm_set(d, flow_index, o->id);
		o->destroy_bytes = sizeof(*d);
	}
}

void uv_devx_plan_destroy(struct uv_devx *o, const void *in, const void *out)
{
	struct prm_general_obj_in_cmd_hdr *hdr = (void *)o->destroy;

	memset(o->destroy, 0, sizeof(o->destroy));
	switch (o->created_by) {
#define CREATE(create, destroy_, from, to)                                                  \
	case PRM_OP_##create:                                                               \
		o->id = (uint32_t)prm_get((const struct prm_##create##_out *)out, from);    \
		prm_set((struct prm_##destroy_##_in *)hdr, opcode, PRM_OP_##destroy_);      \
		prm_set((struct prm_##destroy_##_in *)hdr, to, o->id);                      \
		o->destroy_bytes = sizeof(struct prm_##destroy_##_in);                      \
		break;
	CREATES
#undef CREATE
	default:
		plan_flow(o, in, out);
	}
	prm_set(hdr, uid, prm_get((const struct prm_general_obj_in_cmd_hdr *)in, uid));
}
