/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options whose argument is one of a few names.
 */
#include <stdio.h>
#include <string.h>

#include "cli/reason.h"
#include "model/options.h"

const char *const sender_names[] = {
	[SENDER_AUTO] = "auto",
	[SENDER_MBUF] = "mbuf",
	[SENDER_RING] = "ring",
	NULL,
};

const char *const checksums_names[] = {
	[CHECKSUMS_AUTO] = "auto",
	[CHECKSUMS_PORT] = "port",
	[CHECKSUMS_SOFTWARE] = "software",
	NULL,
};

const char *const timestamps_names[] = {
	[TIMESTAMPS_AUTO] = "auto",
	[TIMESTAMPS_DEVICE] = "device",
	[TIMESTAMPS_TSC] = "tsc",
	NULL,
};

const char *choice_parse(const char *const *names, const char *text, int *choice)
{
	char valid[128] = "";

	for (int i = 0; names[i]; i++) {
		if (!strcmp(text, names[i])) {
			*choice = i;
			return NULL;
		}
		snprintf(valid + strlen(valid), sizeof(valid) - strlen(valid), "%s%s",
			 i ? ", " : "", names[i]);
	}
	return reason_format("unknown (valid: %s)", valid);
}
