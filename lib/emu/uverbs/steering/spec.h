/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_SPEC_H
#define EMU_UVERBS_STEERING_SPEC_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: Steering as the kernel builds it
 *
 *     root -> table of slot 1 -> slot 3 -> ... -> slot 31 -> slot 32 -> the kernel's own table
 *             user priority 0    1               15         multicast
 *
 * The table of a slot exists while it has rules. A packet that matches no entry of a table goes to
 * the next table. Slots are flow priorities of mlx5_core. Inside a table, rules with the same mask
 * share a group. The first 6 groups are large; each later group has one entry.
 *
 *     slot -> table -> group (mask) -> entry (value) -> destinations
 *
 * No profile of emu has tables of the send side.
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

#endif
