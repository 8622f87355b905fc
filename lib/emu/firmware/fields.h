/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FIELDS_H
#define EMU_FIRMWARE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "prm/prm.h"

/** emu_fields_resolve - build all masks, once. Return: 0, or -1 with a line in @why */
int emu_fields_resolve(char *why, size_t why_bytes);

/** struct emu_fields - size of a command's input, and the bits that it must not set */
struct emu_fields {
	uint32_t *reserved;   /* mask of bits without a field: layout, then one list element */
	uint32_t *unmodelled; /* mask of bits of fields that fields.def does not list */
	size_t head_bytes;    /* size of the input without its list */
	size_t tail_bytes;    /* size of one list element; 0 if the input has no list */
	bool kernel_only;
};

/** emu_fields_of - the masks of a command; @opcode is in prm/commands.def */
const struct emu_fields *emu_fields_of(uint16_t opcode);

/**
 * emu_fields_first - find a forbidden bit in an input
 * @mask: reserved or unmodelled of @f
 *
 * Return: number of the first bit that is set both in @dw and in @mask, or -1
 */
int emu_fields_first(const struct emu_fields *f, const uint32_t *mask, const prm_be32 *dw,
		     size_t bytes);

#endif
