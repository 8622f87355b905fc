/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_values.h"

#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

json_t *json_make_text(const char *text)
{
	json_t *j = json_string(text);
	char *copy;

	if (j)
		return j;
	copy = strdup(text);
	for (char *c = copy; c && *c; c++)
		*c = (unsigned char)*c < 0x80 ? *c : '?';
	j = copy ? json_string(copy) : NULL;
	free(copy);
	return j;
}

void json_set_number(json_t *to, const char *name, uint64_t n)
{
	json_object_set_new(to, name, json_integer((json_int_t)n));
}

void json_set_real(json_t *to, const char *name, double value)
{
	json_object_set_new(to, name, json_real(value));
}

void json_set_text(json_t *to, const char *name, const char *text)
{
	json_object_set_new(to, name, json_make_text(text));
}

enum pktgen_exit json_write_record(struct record_file *file, json_t *record)
{
	char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(12));
	enum pktgen_exit e;
	size_t n;

	json_decref(record);
	if (!text)
		return report_error(PKTGEN_REPORT, "--json %s: no memory", file->path);
	n = strlen(text);
	text[n] = '\n'; /* overwrites the terminator */
	e = record_file_write(file, text, n + 1);
	free(text);
	return e;
}

json_t *json_begin_record(const char *kind, uint64_t ns)
{
	json_t *j = json_object();

	json_set_text(j, "record", kind);
	json_set_real(j, "time_s", (double)ns / 1e9);
	return j;
}
