/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_COMMAND_H
#define EMU_UVERBS_STEERING_COMMAND_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Steering as the kernel builds it
 *
 *     root -> table of slot 1 -> slot 3 -> ... -> slot 31 -> slot 32 -> the kernel's own table
 *             user priority 0    1               15         multicast
 *
 * A slot is a flow priority of mlx5_core; its table exists while it has rules. A packet that
 * matches no entry of a table continues in the next table. Rules of a table that have the same mask
 * share a group. The first 6 groups of a table are large; each later group has one entry.
 *
 *     slot -> table -> group (mask) -> entry (value) -> destinations
 *
 * No profile of emu has flow tables on the send side.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/fs.c; drivers/net/ethernet/mellanox/mlx5/core/fs_core.c.
 */

enum { UV_FS_LAST_PRIORITY = 15, UV_FS_MULTICAST_SLOT = 32, UV_FS_N_SLOTS = 33 };

/** struct uv_rule_spec - a rule to add */
struct uv_rule_spec {
	unsigned slot;
	uint8_t criteria_enable;
	const struct prm_fte_match_param *mask, *value;
	uint16_t action;   /* enum prm_flow_context_action, ORed */
	bool default_miss; /* send matching packets to the kernel's own table */
	bool has_dest;
	uint8_t dest_type;
	uint32_t dest;
	uint32_t counter; /* with PRM_FLOW_CONTEXT_ACTION_COUNT */
	bool has_tag;
	uint32_t tag;
};

/**
 * DOC: Steering commands that mlx5_core sends for its own flow tables (uid 0)
 *
 * All are for receive tables (table_type 0). Each function returns 0, or firmware's status as
 * -errno.
 */

enum { UV_FS_MAX_DESTS = 8 };

/** struct uv_fte_cmd - content of a flow table entry for SET_FTE */
struct uv_fte_cmd {
	uint32_t table, group, index;
	bool modify; /* true: replace action, destinations and counter of an existing entry */
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
 * @miss: id of the table for packets that match no entry; NULL: firmware's default action
 */
int uv_cmd_table_create(struct uv_dev *dev, uint8_t level, uint8_t log_size, const uint32_t *miss,
			uint32_t *id);
int uv_cmd_table_destroy(struct uv_dev *dev, uint32_t id);
/** uv_cmd_table_set_miss - forward packets that match no entry of table @id to table @miss */
int uv_cmd_table_set_miss(struct uv_dev *dev, uint32_t id, uint32_t miss);
/** uv_cmd_root_set - make @id the table that packets reach first */
int uv_cmd_root_set(struct uv_dev *dev, uint32_t id);
int uv_cmd_group_create(struct uv_dev *dev, uint32_t table, uint32_t first, uint32_t last,
			uint8_t criteria_enable, const struct prm_fte_match_param *mask,
			uint32_t *id);
int uv_cmd_group_destroy(struct uv_dev *dev, uint32_t table, uint32_t id);
int uv_cmd_fte_set(struct uv_dev *dev, const struct uv_fte_cmd *fte);
int uv_cmd_fte_delete(struct uv_dev *dev, uint32_t table, uint32_t index);

#endif
