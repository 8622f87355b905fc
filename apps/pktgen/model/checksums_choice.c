/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "model/options.h"

static const char *const checksums_names[] = {
	[CHECKSUMS_AUTO] = "auto",
	[CHECKSUMS_PORT] = "port",
	[CHECKSUMS_SOFTWARE] = "software",
};

const char *checksums_choice_parse(enum checksums_choice *choice, const char *text)
{
	for (unsigned i = 0; i < sizeof(checksums_names) / sizeof(checksums_names[0]); i++) {
		if (!strcmp(text, checksums_names[i])) {
			*choice = (enum checksums_choice)i;
			return NULL;
		}
	}
	return "unknown (valid: port, software, auto)";
}

const char *checksums_choice_name(enum checksums_choice choice)
{
	return checksums_names[choice];
}
