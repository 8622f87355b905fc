/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_TABLE_H
#define EMU_UVERBS_STEERING_TABLE_H

#include "emu/uverbs/steering/command.h"

/** struct uv_fs_group - entries with the same mask */
struct uv_fs_group {
	struct uv_fs_group *next;
	uint32_t id, first, last;
	uint8_t criteria_enable;
	struct prm_fte_match_param mask;
	struct uv_fte *ftes; /* by index, ascending */
};

/** struct uv_fs_table - flow table of a slot */
struct uv_fs_table {
	uint32_t id;
	unsigned slot, n_rules;
	uint8_t log_size;
	struct uv_fs_group *groups; /* by first index, ascending */
	unsigned n_groups;
};

/** struct uv_fs - steering of a device */
struct uv_fs {
	struct uv_fs_table *slot[UV_FS_N_SLOTS];
	uint32_t end; /* id of the kernel's own table, the last of the chain */
	unsigned n_rules;
};

/**
 * uv_fs_table_get - find the table of a slot, or create it and link it into the chain
 *
 * Return: 0; -ENOMEM; or firmware's status as -errno
 */
int uv_fs_table_get(struct uv_dev *dev, unsigned slot, struct uv_fs_table **table);
/** uv_fs_table_put - if @t has no rules, remove it from the chain and destroy it */
void uv_fs_table_put(struct uv_dev *dev, struct uv_fs_table *t);

/**
 * uv_fs_group_create - create a group for the mask of @spec
 *
 * Return: 0; -ENOSPC: no gap in the table; -ENOMEM; or firmware's status as -errno
 */
int uv_fs_group_create(struct uv_dev *dev, struct uv_fs_table *t, const struct uv_rule_spec *spec,
		       struct uv_fs_group **group);
/** uv_fs_group_put - destroy @g if it has no entries */
void uv_fs_group_put(struct uv_dev *dev, struct uv_fs_table *t, struct uv_fs_group *g);
bool uv_fs_group_has_mask(const struct uv_fs_group *g, const struct uv_rule_spec *spec);
bool uv_fs_group_is_full(const struct uv_fs_group *g);

/**
 * DOC: Entries of the kernel's flow tables
 *
 * As in Linux, rules with the same mask and value share one entry, which has the destinations of
 * all of them. A matching packet goes to every destination.
 */

/** struct uv_fte - an entry; it exists in firmware while it has rules */
struct uv_fte {
	struct uv_fte *next;
	uint32_t table, group, index;
	struct prm_fte_match_param value;
	uint16_t action;
	bool has_tag;
	uint32_t tag, counter;
	unsigned n_rules;
	struct {
		uint8_t type;
		uint32_t id;
		unsigned refs;
	} dest[UV_FS_MAX_DESTS];
};

/**
 * uv_fte_join - add a rule to an entry; the first rule creates the entry in firmware
 * @dest: receives the index of the rule's destination in uv_fte.dest, or -1
 *
 * Return: 0; -EEXIST: rule and entry differ in DROP or ALLOW, or have different tags; -ENOSPC: the
 * entry has UV_FS_MAX_DESTS destinations already; else firmware's status as -errno
 */
int uv_fte_join(struct uv_dev *dev, struct uv_fte *f, const struct uv_rule_spec *spec, int *dest);
/**
 * uv_fte_leave - remove a rule from an entry
 * @dest: as uv_fte_join() returned it
 *
 * Return: true if the rule was the last one, so the entry is deleted in firmware
 */
bool uv_fte_leave(struct uv_dev *dev, struct uv_fte *f, int dest);

#endif
