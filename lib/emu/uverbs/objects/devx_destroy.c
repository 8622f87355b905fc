/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/objects/devx.h"

#include <string.h>

/* Copies vport and table type, which all commands for flow tables, groups and entries have. */
#define COPY_PLACE(to, from)                                                                       \
	do {                                                                                       \
		prm_set((to), other_vport, prm_get((from), other_vport));                          \
		prm_set((to), vport_number, prm_get((from), vport_number));                        \
		prm_set((to), table_type, prm_get((from), table_type));                            \
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
#define CREATE(create, destroy_, from, to)                                                         \
	case PRM_OP_##create:                                                                      \
		o->id = (uint32_t)prm_get((const struct prm_##create##_out *)out, from);           \
		prm_set((struct prm_##destroy_##_in *)hdr, opcode, PRM_OP_##destroy_);             \
		prm_set((struct prm_##destroy_##_in *)hdr, to, o->id);                             \
		o->destroy_bytes = sizeof(struct prm_##destroy_##_in);                             \
		break;
		UV_DEVX_CREATES
#undef CREATE
	default:
		plan_flow(o, in, out);
	}
	prm_set(hdr, uid, prm_get((const struct prm_general_obj_in_cmd_hdr *)in, uid));
}
