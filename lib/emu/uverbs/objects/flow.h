/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_FLOW_H
#define EMU_UVERBS_OBJECTS_FLOW_H

#include "emu/uverbs/objects/matcher.h"
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

#endif
