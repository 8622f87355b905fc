/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options whose argument is one of a few names.
 */
#include <string.h>

#include "model/options.h"

static const char *const sender_names[] = {
	[SENDER_AUTO] = "auto",
	[SENDER_MBUF] = "mbuf",
	[SENDER_RING] = "ring",
	NULL,
};

static const char *const checksums_names[] = {
	[CHECKSUMS_AUTO] = "auto",
	[CHECKSUMS_PORT] = "port",
	[CHECKSUMS_SOFTWARE] = "software",
	NULL,
};

static const char *const timestamps_names[] = {
	[TIMESTAMPS_AUTO] = "auto",
	[TIMESTAMPS_DEVICE] = "device",
	[TIMESTAMPS_TSC] = "tsc",
	NULL,
};

/* Returns the number of a name in a list that ends with NULL, or -1. */
static int find_name(const char *const *names, const char *text)
{
	for (int i = 0; names[i]; i++) {
		if (!strcmp(text, names[i]))
			return i;
	}
	return -1;
}

const char *sender_choice_parse(enum sender_choice *choice, const char *text)
{
	const int i = find_name(sender_names, text);

	if (i < 0)
		return "unknown sender (valid: mbuf, ring, auto)";
	*choice = (enum sender_choice)i;
	return NULL;
}

const char *sender_choice_name(enum sender_choice choice)
{
	return sender_names[choice];
}

const char *checksums_choice_parse(enum checksums_choice *choice, const char *text)
{
	const int i = find_name(checksums_names, text);

	if (i < 0)
		return "unknown (valid: port, software, auto)";
	*choice = (enum checksums_choice)i;
	return NULL;
}

const char *checksums_choice_name(enum checksums_choice choice)
{
	return checksums_names[choice];
}

const char *timestamps_choice_parse(enum timestamps_choice *choice, const char *text)
{
	const int i = find_name(timestamps_names, text);

	if (i < 0)
		return "unknown (valid: device, tsc, auto)";
	*choice = (enum timestamps_choice)i;
	return NULL;
}

const char *timestamps_choice_name(enum timestamps_choice choice)
{
	return timestamps_names[choice];
}
