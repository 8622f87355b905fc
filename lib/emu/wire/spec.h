/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_SPEC_H
#define EMU_WIRE_SPEC_H

#include <stddef.h>

#include "emu/wire/impair.h"

/**
 * DOC: The description of a wire
 *
 *     tap:emu0,pause=on,drop=1/100
 *     ^   ^    ^
 *     |   |    options: pause and faults, for every wire; some kinds have further options
 *     |   argument
 *     kind
 */

enum { EMU_WIRE_MAX_OPTIONS = 16, EMU_WIRE_SPEC_BYTES = 1024 };

/** struct emu_wire_spec - a parsed description; its pointers point into @text */
struct emu_wire_spec {
	char text[EMU_WIRE_SPEC_BYTES];
	const char *kind, *argument; /* argument: between the colon and a comma, or NULL */
	bool pause;
	struct emu_impair_config faults;
	unsigned n_keys;
	const char *key[EMU_WIRE_MAX_OPTIONS]; /* key of every option in text */
	unsigned n;                            /* options that only this kind of wire has */
	struct {
		const char *key, *value;
	} option[EMU_WIRE_MAX_OPTIONS];
};

/** struct emu_why - buffer for one line that says what is wrong */
struct emu_why {
	char *text;
	size_t bytes;
};

/** emu_say_why - write the line to @why. Return: -1 */
int emu_say_why(const struct emu_why *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** emu_wire_spec_parse - parse a description. Return: 0, or -1 with a line in @why */
int emu_wire_spec_parse(struct emu_wire_spec *spec, const char *text, const struct emu_why *why);

/** emu_parse_number - parse decimal digits. Return: false if @text is not a number up to @max */
bool emu_parse_number(const char *text, uint64_t max, uint64_t *number);

#endif
