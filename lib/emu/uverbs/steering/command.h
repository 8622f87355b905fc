/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_COMMAND_H
#define EMU_UVERBS_STEERING_COMMAND_H

#include "emu/uverbs/steering/spec.h"

/**
 * DOC: Steering commands that mlx5_core sends for its own flow tables (uid 0)
 *
 * All are for tables of the receive side, whose table_type is 0. Each function returns 0, or
 * firmware's status as -errno.
 */

enum { UV_FS_MAX_DESTS = 8 };

/** struct uv_fte_cmd - content of a flow table entry for SET_FTE */
struct uv_fte_cmd {
	uint32_t table, group, index;
	bool modify; /* true: the entry exists; replace its action, destinations and counter */
	uint16_t action;
	uint32_t tag;
	const struct prm_fte_match_param *value;
	unsigned n_dests;
	struct {
		uint8_t type;
		uint32_t id;
	} dest[UV_FS_MAX_DESTS];
	uint32_t counter; /* with PRM_FLOW_CONTEXT_ACTION_COUNT */
};

/**
 * uv_cmd_table_create - create a table; @id receives its id
 * @miss: id of the table for packets that match no entry; NULL: the default action of firmware
 */
int uv_cmd_table_create(struct uv_dev *dev, uint8_t level, uint8_t log_size, const uint32_t *miss,
			uint32_t *id);
int uv_cmd_table_destroy(struct uv_dev *dev, uint32_t id);
/** uv_cmd_table_set_miss - send packets that match no entry of table @id to table @miss */
int uv_cmd_table_set_miss(struct uv_dev *dev, uint32_t id, uint32_t miss);
/** uv_cmd_root_set - make @id the first table */
int uv_cmd_root_set(struct uv_dev *dev, uint32_t id);
int uv_cmd_group_create(struct uv_dev *dev, uint32_t table, uint32_t first, uint32_t last,
			uint8_t criteria_enable, const struct prm_fte_match_param *mask,
			uint32_t *id);
int uv_cmd_group_destroy(struct uv_dev *dev, uint32_t table, uint32_t id);
int uv_cmd_fte_set(struct uv_dev *dev, const struct uv_fte_cmd *fte);
int uv_cmd_fte_delete(struct uv_dev *dev, uint32_t table, uint32_t index);

#endif
