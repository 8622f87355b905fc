/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_OPTIONS_H
#define EMU_BASE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/** struct emu_options - options of a profile (emu/options.def) */
struct emu_options {
#define OPTION(name, preset, max, what) uint32_t name;
#include "emu/options.def"
#undef OPTION
};

/** emu_options_preset - the values of options that a profile does not set */
extern const struct emu_options emu_options_preset;

/**
 * emu_options_set - set one option
 * @name: its name, not necessarily terminated by 0
 * @name_bytes: length of @name
 * @value: the value, 0 to the maximum of the option
 * @why: receives one line on failure: what is invalid, and what is valid
 * @why_bytes: its size
 *
 * Return: the previous value, or -EINVAL: no such option, or @value is too large
 */
int64_t emu_options_set(struct emu_options *o, const char *name, size_t name_bytes, uint64_t value,
			char *why, size_t why_bytes);

/**
 * emu_options_parse - set the options of a list
 * @list: "name=value,name=value", with decimal numbers
 *
 * Return: 0, or -EINVAL: @why says what is invalid
 */
int emu_options_parse(struct emu_options *o, const char *list, char *why, size_t why_bytes);

#endif
