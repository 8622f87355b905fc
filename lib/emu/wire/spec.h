/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_SPEC_H
#define EMU_WIRE_SPEC_H

#include <stddef.h>

#include "emu/wire/impair.h"

/**
 * DOC: How a wire is described and made
 *
 *     tap:emu0,pause=on,drop=1/100
 *     kind argument, options; the options that every wire has are taken out by spec.c
 */

enum { EMU_WIRE_MAX_OPTIONS = 16, EMU_WIRE_SPEC_BYTES = 1024 };

/** struct emu_wire_spec - a wire's description, taken apart; strings lie in text */
struct emu_wire_spec {
	char text[EMU_WIRE_SPEC_BYTES];
	const char *kind, *argument; /* argument: from colon to comma, or NULL */
	bool pause;
	struct emu_impair_config faults;
	unsigned n_keys;
	const char *key[EMU_WIRE_MAX_OPTIONS]; /* of every option in text */
	unsigned n;                            /* the kind's own options */
	struct {
		const char *key, *value;
	} option[EMU_WIRE_MAX_OPTIONS];
};

/** struct emu_why - where the one line about what is wrong goes */
struct emu_why {
	char *text;
	size_t bytes;
};

/** emu_say_why - write the line. Return: -1, for the caller to pass on */
int emu_say_why(const struct emu_why *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** emu_wire_spec_parse - take @text apart. Return: 0, or -1 with a line in @why */
int emu_wire_spec_parse(struct emu_wire_spec *spec, const char *text, const struct emu_why *why);

/** emu_parse_number - a whole decimal number. Return: whether @text is one, and nothing else */
bool emu_parse_number(const char *text, uint64_t max, uint64_t *number);

#endif
