/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_FLOW_H
#define EMU_STEERING_FLOW_H

#include "emu/base/dev.h"
#include "emu/packet/match.h"

/**
 * DOC: Receive steering
 *
 *     NIC_RX root table -> groups (one mask each) -> entries (one value each) -> TIR | table | drop
 *                          no match: miss table, or drop
 *
 * The matching entry with the lowest flow index in a table wins. Commands (firmware/) build the
 * tables; steer.c walks them.
 */

enum { EMU_MAX_HOPS = 64 };

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
	struct emu_fte *next;           /* link of its group's list, sorted by index */
	struct emu_fte *next_in_bucket; /* link of its bucket (group.c), sorted by index */
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
	struct emu_flow_group *next; /* link of its table's list, sorted by first */
	uint32_t id, first, last;    /* first and last: flow indexes */
	uint8_t criteria_enable;
	uint32_t mask[EMU_MATCH_DWORDS];
	uint16_t n_used;                /* number of dwords in mask that are not 0 */
	uint8_t used[EMU_MATCH_DWORDS]; /* indexes of these dwords */
	uint32_t n_ftes;
	struct emu_fte *ftes;
	struct emu_fte **bucket; /* 1 << log_buckets lists of entries (group.c), or NULL */
	uint8_t log_buckets;
};

struct emu_flow_table {
	struct emu_obj obj;
	uint8_t type, level, log_size, miss_action; /* miss_action: 0 default, 1 forward to miss */
	struct emu_flow_table *miss;                /* reference */
	struct emu_flow_group *groups;
	uint32_t next_group_id;
};

/**
 * DOC: Entries of a flow group
 *
 * All entries of a group share its mask. An entry matches a frame if their masked values are equal.
 * A group with many entries therefore keeps them in a hash table:
 *
 *     group.ftes      -> entry 3 -> entry 5 -> entry 8 -> ...    all, sorted by flow index
 *     group.bucket[k] -> entry 5 -> entry 8                      those with hash k, also sorted
 *
 * Entries with equal masked values are in one bucket. The first of them wins, as in group.ftes.
 */

enum { EMU_GROUP_HASHED = 8 }; /* a group with this many entries or more has buckets */

/** emu_group_hash - add one masked match dword to a hash, which starts at 0 */
static inline uint32_t emu_group_hash(uint32_t hash, uint32_t masked)
{
	const uint64_t mixed = ((uint64_t)hash << 32 | masked) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

/** emu_group_bucket - first entry in the bucket for @hash; the group must have buckets */
static inline const struct emu_fte *emu_group_bucket(const struct emu_flow_group *g, uint32_t hash)
{
	return g->bucket[hash >> (32 - g->log_buckets)];
}

/**
 * emu_group_insert - insert an entry into its group
 * @link: position in the sorted list g->ftes: the pointer to the entry that will follow @fte
 *
 * If memory for more buckets runs out, the group keeps the old ones, which makes it slower.
 */
void emu_group_insert(struct emu_flow_group *g, struct emu_fte **link, struct emu_fte *fte);

/** emu_group_remove - remove the entry at @link from its group. Return: the entry */
struct emu_fte *emu_group_remove(struct emu_flow_group *g, struct emu_fte **link);

/** emu_group_free - free a group that has no entries */
void emu_group_free(struct emu_flow_group *g);

#endif
