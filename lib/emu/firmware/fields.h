/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FIELDS_H
#define EMU_FIRMWARE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "prm/prm.h"

/** emu_fields_resolve - make the masks of fields.def, once. Return: 0, or -1 with a line in @why */
int emu_fields_resolve(char *why, size_t why_bytes);

/** struct emu_fields - what a command's mailbox may set */
struct emu_fields {
	uint32_t *reserved;   /* bits of no row; layout, then one element of its tail */
	uint32_t *unmodelled; /* bits of rows that fields.def does not list */
	size_t head_bytes;    /* of the input without its list */
	size_t tail_bytes;    /* of one element of the list, 0: none */
	bool kernel_only;
};

/** emu_fields_of - of a command of prm/commands.def */
const struct emu_fields *emu_fields_of(uint16_t opcode);

/** emu_fields_first - first bit of @dw that is set in @mask, one of the two above; or -1 */
int emu_fields_first(const struct emu_fields *f, const uint32_t *mask, const prm_be32 *dw,
		     size_t bytes);

#endif
