/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_FLOW_H
#define EMU_UVERBS_OBJECTS_FLOW_H

#include "emu/uverbs/base/types.h"
#include "emu/uverbs/steering/rule.h"

/** struct uv_flow - a flow: one rule of a matcher */
struct uv_flow {
	struct uv_obj obj;
	struct uv_matcher *matcher; /* matcher->obj.users counts this flow */
	struct uv_fs_rule *rule;
};

extern const struct uv_type uv_type_flow;

/** uv_flow_create - create a flow of matcher @m. Return: -ENOMEM, or as uv_fs_add_rule() */
int uv_flow_create(struct uv_file *file, struct uv_matcher *m, const struct uv_rule_spec *spec,
		   struct uv_flow **flow);

/** struct uv_matcher - mask and priority of flows */
struct uv_matcher {
	struct uv_obj obj;
	struct prm_fte_match_param mask;
	uint16_t priority;
	uint8_t criteria_enable;
	uint8_t flow_type;
	uint32_t table_type; /* enum mlx5_ib_uapi_flow_table_type */
	bool usable;         /* false: the mask is too long for a flow (uv_copy_match()) */
};

extern const struct uv_type uv_type_matcher;

#endif
