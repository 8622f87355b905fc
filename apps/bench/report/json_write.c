/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json.h"

#include <errno.h>
#include <math.h>

#include <jansson.h>

/* Keeps a count as an exact number. JSON has no NaN and no infinity. */
static json_t *make_number(double v)
{
	static const double exact = 9007199254740992.0; /* 2^53: every integer below is a double */

	if (!isfinite(v))
		return json_null();
	return v == floor(v) && fabs(v) < exact ? json_integer((json_int_t)v) : json_real(v);
}

static json_t *make_value(const struct bench_value *v)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:i, s:i}", "unit", v->unit, "median",
			 make_number(v->median), "low", make_number(v->low), "high",
			 make_number(v->high), "samples", (int)v->n_samples, "rejected",
			 (int)v->n_rejected);
}

static json_t *make_row(const struct bench_row *row)
{
	json_t *keys = json_object(), *values = json_object();

	for (unsigned i = 0; i < row->n_keys; i++)
		json_object_set_new(keys, row->key[i].name, json_string(row->key[i].value));
	for (unsigned i = 0; i < row->n_values; i++)
		json_object_set_new(values, row->value[i].metric, make_value(&row->value[i]));
	return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o}", "case", row->case_name, "driver",
			 row->driver, "function", row->function, "keys", keys, "missing",
			 row->missing, "values", values);
}

int report_json_write(FILE *to, const struct bench_table *table, const struct report_about *about)
{
	json_t *rows = json_array();
	json_t *all = json_pack("{s:s, s:i, s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:b, s:o}", "schema",
				REPORT_JSON_SCHEMA, "version", REPORT_JSON_VERSION, "program",
				about->program, "dpdk", about->dpdk, "net_devx", about->net_devx,
				"machine", "cpu", about->cpu, "kernel", about->kernel, "time",
				about->time, "interrupted", (int)about->interrupted, "rows", rows);
	int rc = all ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < table->n_rows; i++)
		if (json_array_append_new(rows, make_row(&table->row[i])))
			rc = -ENOMEM;
	if (!rc && (json_dumpf(all, to, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) ||
		    fputc('\n', to) == EOF))
		rc = -EIO;
	json_decref(all);
	return rc;
}
