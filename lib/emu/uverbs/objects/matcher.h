/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_MATCHER_H
#define EMU_UVERBS_OBJECTS_MATCHER_H

#include "emu/uverbs/base/types.h"

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
