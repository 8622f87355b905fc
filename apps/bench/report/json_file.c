/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"

int report_refuse(const struct report_reading *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->why, r->bytes, fmt, args);
	va_end(args);
	return -EINVAL;
}

/* Returns a name or text that must not be printed to a terminal, or NULL. */
static const char *find_unprintable(json_t *value)
{
	const char *text = json_string_value(value), *name, *found;
	json_t *child;
	size_t i;

	if (text)
		return report_can_print(text) ? NULL : text;
	json_array_foreach(value, i, child)
	{
		found = find_unprintable(child);
		if (found)
			return found;
	}
	json_object_foreach(value, name, child)
	{
		found = report_can_print(name) ? find_unprintable(child) : name;
		if (found)
			return found;
	}
	return NULL;
}

int report_json_load(const char *path, const struct report_reading *r, json_t **all)
{
	FILE *f = fopen(path, "re");
	const char *bad;
	json_error_t error;
	int rc;

	if (!f) {
		rc = -errno;
		snprintf(r->why, r->bytes, "cannot open it: %s", strerror(-rc));
		return rc;
	}
	*all = json_loadf(f, 0, &error);
	fclose(f);
	if (!*all)
		return report_refuse(r, "not JSON: %.100s, line %d", error.text, error.line);
	bad = find_unprintable(*all);
	if (!bad)
		return 0;
	rc = report_refuse(r, "a control character in \"%.80s\"; remove it", bad);
	json_decref(*all);
	return rc;
}
