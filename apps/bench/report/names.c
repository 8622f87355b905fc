/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/names.h"

#include <stdlib.h>
#include <string.h>

struct kept_name {
	struct kept_name *next;
	char text[];
};

const char *report_keep_name(const char *name)
{
	static struct kept_name *first; /* rows of a file have few different names */
	const size_t bytes = strlen(name) + 1;
	struct kept_name *k;

	for (k = first; k; k = k->next)
		if (!strcmp(k->text, name))
			return k->text;
	k = malloc(sizeof(*k) + bytes);
	if (!k)
		return NULL;
	memcpy(k->text, name, bytes);
	k->next = first;
	first = k;
	return k->text;
}
