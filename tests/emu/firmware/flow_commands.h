/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLOW_COMMANDS_H
#define FLOW_COMMANDS_H

#include "core_rig.h"

/**
 * DOC: A flow table with one group, and valid commands for a second group and an entry
 *
 * The group matches the EtherType. The entry sends frames to a TIR.
 */

enum { LEVEL = 5, LOG_SIZE = 4, FIRST = 4, LAST = 7 };
enum {
	ALLOW = PRM_FLOW_CONTEXT_ACTION_ALLOW,
	DROP = PRM_FLOW_CONTEXT_ACTION_DROP,
	FORWARD = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
	COUNT = PRM_FLOW_CONTEXT_ACTION_COUNT,
	TO_TABLE = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE,
	TO_TIR = PRM_FLOW_DESTINATION_TYPE_TIR,
	OUTER = PRM_MATCH_OUTER_HEADERS,
};

struct flow_commands {
	uint32_t tir, table, group;
	uint32_t higher, lower; /* tables of level LEVEL + 1, and of LEVEL as @table */
	uint32_t counter;
	struct prm_fte_match_param mask;
	struct prm_create_flow_group_in group_in;
	struct {
		struct prm_set_fte_in head;
		struct prm_dest_format_struct dest[1];
	} fte;
};

void flow_commands_fill(struct core_rig *r, struct flow_commands *c);

#endif
