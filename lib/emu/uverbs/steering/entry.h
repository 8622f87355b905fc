/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_ENTRY_H
#define EMU_UVERBS_STEERING_ENTRY_H

#include "emu/uverbs/steering/command.h"

/**
 * DOC: Entries of the kernel's flow tables
 *
 * Rules with the same mask and value share one entry, which has the destinations of all of them. A
 * packet that matches goes to every destination. Linux does the same.
 */

/** struct uv_fte - an entry, which exists in firmware while it has rules */
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
 * Return: 0; -EEXIST: DROP, ALLOW or a tag of both differ; -ENOSPC: the entry has
 * UV_FS_MAX_DESTS destinations; else firmware's status as -errno
 */
int uv_fte_join(struct uv_dev *dev, struct uv_fte *f, const struct uv_rule_spec *spec, int *dest);
/**
 * uv_fte_leave - remove a rule from an entry
 * @dest: as uv_fte_join() returned it
 *
 * Return: true: it was the last rule, and the entry is deleted in firmware
 */
bool uv_fte_leave(struct uv_dev *dev, struct uv_fte *f, int dest);

#endif
