/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_FLOW_H
#define EMU_STEERING_FLOW_H

#include "emu/base/dev.h"
#include "emu/packet/match.h"

/**
 * DOC: Receive steering
 *
 *     NIC_RX root table -> groups (a mask each) -> entries (a value each) -> TIR | table | drop
 *                                  no entry: miss table, or drop
 *
 * The matching entry of a table with the lowest flow index wins. Commands (firmware/) build the
 * tables; steer.c walks them.
 */

enum { EMU_MAX_HOPS = 64 };

struct emu_tir;

struct emu_flow_counter {
	struct emu_obj obj;
	uint64_t packets, bytes;
};

struct emu_flow_dest {
	uint8_t type; /* enum MLX5_FLOW_DESTINATION_TYPE: 1 table, 2 TIR */
	struct emu_tir *tir;
	struct emu_flow_table *table;
};

struct emu_fte {
	struct emu_fte *next;           /* link of its group's list, in the order of index */
	struct emu_fte *next_in_bucket; /* link of its bucket (group.h), in that order */
	uint32_t index;
	uint16_t action; /* PRM_FLOW_CONTEXT_ACTION_*: 1 allow, 2 drop, 4 forward, 8 count */
	uint32_t flow_tag;
	uint32_t value[EMU_MATCH_DWORDS]; /* host-endian dwords of fte_match_param */
	unsigned n_dests;
	struct emu_flow_dest dest[EMU_MAX_DESTS];
	struct emu_flow_counter *counter;
	struct prm_flow_context ctx;
};

struct emu_flow_group {
	struct emu_flow_group *next; /* link of its table's list, in the order of first */
	uint32_t id, first, last;    /* flow indexes */
	uint8_t criteria_enable;
	uint32_t mask[EMU_MATCH_DWORDS];
	uint16_t n_used;                /* number of dwords of mask that are not 0 ... */
	uint8_t used[EMU_MATCH_DWORDS]; /* ... and their indexes */
	uint32_t n_ftes;
	struct emu_fte *ftes;
	struct emu_fte **bucket; /* 1 << log_buckets lists of entries (group.h); or NULL */
	uint8_t log_buckets;
};

struct emu_flow_table {
	struct emu_obj obj;
	uint8_t type, level, log_size, miss_action; /* miss_action: 0 default, 1 forward to miss */
	struct emu_flow_table *miss;                /* reference */
	struct emu_flow_group *groups;
	uint32_t next_group_id;
};

#endif
