/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "report/json_file.h"
#include "report/names.h"

static double read_number(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static unsigned read_count(const json_t *o, const char *name)
{
	const json_int_t v = json_integer_value(json_object_get(o, name));

	return v > 0 && v <= (json_int_t)INT32_MAX ? (unsigned)v : 0;
}

/* Returns the string @name of an object; "" if it has none. */
static const char *read_text(const json_t *o, const char *name)
{
	const char *text = json_string_value(json_object_get(o, name));

	return text ? text : "";
}

static int read_values(const struct report_reading *r, json_t *values, struct bench_row *row)
{
	const char *metric;
	json_t *v;

	json_object_foreach(values, metric, v)
	{
		if (row->n_values == BENCH_MAX_VALUES)
			return report_refuse(r, "a row has more than %d values", BENCH_MAX_VALUES);
		row->value[row->n_values++] = (struct bench_value){
			.metric = report_keep_name(metric),
			.unit = report_keep_name(read_text(v, "unit")),
			.median = read_number(v, "median"),
			.low = read_number(v, "low"),
			.high = read_number(v, "high"),
			.n_samples = read_count(v, "samples"),
			.n_rejected = read_count(v, "rejected"),
		};
		if (!row->value[row->n_values - 1].metric || !row->value[row->n_values - 1].unit)
			return -ENOMEM;
	}
	return 0;
}

static int read_row(const struct report_reading *r, size_t index, json_t *o, struct bench_row *row)
{
	json_t *keys = json_object_get(o, "keys"), *values = json_object_get(o, "values");
	const char *name, *kept;
	json_t *value;

	if (!json_is_string(json_object_get(o, "case")) ||
	    !json_is_string(json_object_get(o, "driver")) || !json_is_object(keys) ||
	    !json_is_object(values))
		return report_refuse(r, "row %zu: needs case, driver, keys and values", index);
	if (json_object_size(keys) > BENCH_MAX_KEYS)
		return report_refuse(r, "row %zu: %zu keys (valid: at most %d)", index,
				     json_object_size(keys), BENCH_MAX_KEYS);
	*row = (struct bench_row){ .case_name = report_keep_name(read_text(o, "case")) };
	if (!row->case_name)
		return -ENOMEM;
	snprintf(row->driver, sizeof(row->driver), "%s", read_text(o, "driver"));
	snprintf(row->function, sizeof(row->function), "%s", read_text(o, "function"));
	snprintf(row->missing, sizeof(row->missing), "%s", read_text(o, "missing"));
	json_object_foreach(keys, name, value)
	{
		if (!json_is_string(value))
			return report_refuse(r, "row %zu: key %s is not a string", index, name);
		/* jansson finds the next member by the address of @name */
		kept = report_keep_name(name);
		if (!kept)
			return -ENOMEM;
		bench_row_key(row, kept, "%s", json_string_value(value));
	}
	return read_values(r, values, row);
}

static void read_about(const json_t *all, struct report_about *about)
{
	const json_t *machine = json_object_get(all, "machine");

	*about = (struct report_about){ 0 };
	snprintf(about->program, sizeof(about->program), "%s", read_text(all, "program"));
	snprintf(about->dpdk, sizeof(about->dpdk), "%s", read_text(all, "dpdk"));
	snprintf(about->net_devx, sizeof(about->net_devx), "%s", read_text(all, "net_devx"));
	snprintf(about->cpu, sizeof(about->cpu), "%s", read_text(machine, "cpu"));
	snprintf(about->kernel, sizeof(about->kernel), "%s", read_text(machine, "kernel"));
	snprintf(about->time, sizeof(about->time), "%s", read_text(all, "time"));
	about->interrupted = json_is_true(json_object_get(all, "interrupted"));
}

static int read_all(const struct report_reading *r, json_t *all, struct bench_table *table)
{
	json_t *rows = json_object_get(all, "rows"), *o;
	const json_t *version = json_object_get(all, "version");
	const size_t before = table->n_rows;
	struct bench_row row;
	size_t i;
	int rc = 0;

	if (strcmp(read_text(all, "schema"), REPORT_JSON_SCHEMA))
		return report_refuse(r, "not written by devx-bench --json (its schema: \"%.40s\")",
				     read_text(all, "schema"));
	if (!json_is_integer(version) || json_integer_value(version) != REPORT_JSON_VERSION)
		return report_refuse(r,
				     "schema version %lld (valid: %d); measure again with this "
				     "devx-bench",
				     (long long)json_integer_value(version), REPORT_JSON_VERSION);
	if (!json_is_array(rows))
		return report_refuse(r, "no array \"rows\"");
	json_array_foreach(rows, i, o)
	{
		rc = read_row(r, i, o, &row);
		if (!rc)
			rc = bench_table_add(table, &row);
		if (rc)
			break;
	}
	if (rc)
		table->n_rows = before;
	return rc;
}

int report_json_read(const char *path, struct bench_table *table, struct report_about *about,
		     char *why, size_t bytes)
{
	const struct report_reading r = { why, bytes };
	json_t *all;
	int rc = report_json_load(path, &r, &all);

	if (rc)
		return rc;
	rc = read_all(&r, all, table);
	if (rc == -ENOMEM)
		snprintf(why, bytes, "no memory for its rows");
	else if (!rc)
		read_about(all, about);
	json_decref(all);
	return rc;
}
