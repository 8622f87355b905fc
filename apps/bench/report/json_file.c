/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int report_refuse(const struct report_reading *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->why, r->bytes, fmt, args);
	va_end(args);
	return -EINVAL;
}

int report_json_load(const char *path, const struct report_reading *r, json_t **all)
{
	FILE *f = fopen(path, "re");
	json_error_t error;
	int rc;

	if (!f) {
		rc = -errno;
		snprintf(r->why, r->bytes, "cannot open it: %s", strerror(-rc));
		return rc;
	}
	*all = json_loadf(f, 0, &error);
	fclose(f);
	return *all ? 0 : report_refuse(r, "not JSON: %.100s, line %d", error.text, error.line);
}
