/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"

const struct emu_options emu_options_preset = {
#define OPTION(name, preset, max, what) .name = (preset),
#include "emu/options.def"
#undef OPTION
};

static const struct option {
	const char *name;
	uint32_t max;
	size_t offset; /* in struct emu_options */
} options[] = {
#define OPTION(name, preset, max, what) { #name, max, offsetof(struct emu_options, name) },
#include "emu/options.def"
#undef OPTION
};

static const char names[] =
#define OPTION(name, preset, max, what) ", " #name
#include "emu/options.def"
#undef OPTION
	;

int64_t emu_options_set(struct emu_options *o, const char *name, size_t name_bytes, uint64_t value,
			char *why, size_t why_bytes)
{
	uint32_t *at;
	int64_t before;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strlen(options[i].name) != name_bytes ||
		    memcmp(options[i].name, name, name_bytes) != 0)
			continue;
		if (value > options[i].max) {
			snprintf(why, why_bytes, "profile option %s=%llu: invalid (valid: 0 to %u)",
				 options[i].name, (unsigned long long)value, options[i].max);
			return -EINVAL;
		}
		at = (uint32_t *)((uint8_t *)o + options[i].offset);
		before = *at;
		*at = (uint32_t)value;
		return before;
	}
	snprintf(why, why_bytes, "profile option %.*s: no such option (valid: %s)", (int)name_bytes,
		 name, names + strlen(", "));
	return -EINVAL;
}

int emu_options_parse(struct emu_options *o, const char *list, char *why, size_t why_bytes)
{
	while (*list) {
		const size_t bytes = strcspn(list, ","), name = strcspn(list, "=,");
		const char *number = list + name + 1;
		uint64_t value = 0;
		char *end = NULL;

		errno = 0;
		if (name < bytes && isdigit((unsigned char)*number))
			value = strtoull(number, &end, 10);
		if (end != list + bytes || errno) {
			snprintf(why, why_bytes,
				 "profile option %.*s: invalid (valid: NAME=NUMBER, names: %s)",
				 (int)bytes, list, names + strlen(", "));
			return -EINVAL;
		}
		if (emu_options_set(o, list, name, value, why, why_bytes) < 0)
			return -EINVAL;
		list += bytes + (list[bytes] == ',');
	}
	return 0;
}
