/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_GROUP_H
#define EMU_STEERING_GROUP_H

#include "emu/steering/flow.h"

/**
 * DOC: Entries of a flow group
 *
 * All entries of a group have one mask. An entry matches a frame if the masked values are equal, so
 * a group with many entries finds its entry by a hash of them:
 *
 *     group.ftes      -> entry 3 -> entry 5 -> entry 8 -> ...    all, in the order of flow index
 *     group.bucket[k] -> entry 5 -> entry 8                      those with hash k, in that order
 *
 * Entries with equal masked values are in one bucket. The first of them wins, as in group.ftes.
 */

enum { EMU_GROUP_HASHED = 8 }; /* entries from which on a group has buckets */

/** emu_group_hash - the hash of match dwords under a mask; starts with 0, one call a dword */
static inline uint32_t emu_group_hash(uint32_t hash, uint32_t masked)
{
	const uint64_t mixed = ((uint64_t)hash << 32 | masked) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(mixed >> 32) ^ (uint32_t)mixed;
}

/** emu_group_bucket - the first entry whose hash has the bucket of @hash; the group has buckets */
static inline const struct emu_fte *emu_group_bucket(const struct emu_flow_group *g, uint32_t hash)
{
	return g->bucket[hash >> (32 - g->log_buckets)];
}

/**
 * emu_group_insert - insert an entry at its place in the list
 * @link: the list link of that place
 *
 * Without memory for buckets the group keeps those that it has: it works, but more slowly.
 */
void emu_group_insert(struct emu_flow_group *g, struct emu_fte **link, struct emu_fte *fte);

/** emu_group_remove - take the entry at @link out of its group. Return: the entry */
struct emu_fte *emu_group_remove(struct emu_flow_group *g, struct emu_fte **link);

/** emu_group_free - free a group that has no entries */
void emu_group_free(struct emu_flow_group *g);

#endif
