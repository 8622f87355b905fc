/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "model/options.h"

static const char *const sender_names[] = {
	[SENDER_AUTO] = "auto",
	[SENDER_MBUF] = "mbuf",
	[SENDER_RING] = "ring",
};

const char *sender_choice_parse(enum sender_choice *choice, const char *text)
{
	for (unsigned i = 0; i < sizeof(sender_names) / sizeof(sender_names[0]); i++) {
		if (!strcmp(text, sender_names[i])) {
			*choice = (enum sender_choice)i;
			return NULL;
		}
	}
	return "unknown sender (valid: mbuf, ring, auto)";
}

const char *sender_choice_name(enum sender_choice choice)
{
	return sender_names[choice];
}
