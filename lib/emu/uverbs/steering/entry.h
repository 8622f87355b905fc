/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_ENTRY_H
#define EMU_UVERBS_STEERING_ENTRY_H

#include "emu/uverbs/steering/command.h"

/**
 * DOC: An entry of the kernel's tables
 *
 * Rules with the same mask and value share an entry and add up their destinations, so a
 * packet is delivered to each of them: that is what Linux does, and no error.
 */

/** struct uv_fte - an entry; firmware has it from the first rule to the last */
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
 * uv_fte_join - a rule joins an entry; the first one brings it to firmware
 * @dest: receives the destination's place, or -1
 *
 * Return: 0, -EEXIST: tag or kind of action differ from the entry's; -ENOSPC; firmware's
 */
int uv_fte_join(struct uv_dev *dev, struct uv_fte *f, const struct uv_rule_spec *spec, int *dest);
/** uv_fte_leave - a rule leaves. Return: true: it was the last, firmware has it no more */
bool uv_fte_leave(struct uv_dev *dev, enum uv_ns ns, struct uv_fte *f, int dest);

#endif
