/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/row.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_table_add(struct bench_table *table, const struct bench_row *row)
{
	const size_t room = table->room ? 2 * table->room : 64;
	struct bench_row *more;

	if (table->n_rows == table->room) {
		more = realloc(table->row, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		table->row = more;
		table->room = room;
	}
	table->row[table->n_rows++] = *row;
	return 0;
}

void bench_table_free(struct bench_table *table)
{
	free(table->row);
	*table = (struct bench_table){ 0 };
}

void bench_row_key(struct bench_row *row, const char *name, const char *format, ...)
{
	struct bench_key *key = &row->key[row->n_keys];
	va_list args;

	if (row->n_keys == BENCH_MAX_KEYS)
		return;
	key->name = name;
	va_start(args, format);
	vsnprintf(key->value, sizeof(key->value), format, args);
	va_end(args);
	row->n_keys++;
}

void bench_row_exact(struct bench_row *row, const char *metric, const char *unit, double value)
{
	if (row->n_values == BENCH_MAX_VALUES)
		return;
	row->value[row->n_values++] = (struct bench_value){
		.metric = metric,
		.unit = unit,
		.median = value,
		.low = value,
		.high = value,
		.n_samples = 1,
	};
}

const char *bench_row_get_key(const struct bench_row *row, const char *name)
{
	for (unsigned i = 0; i < row->n_keys; i++)
		if (!strcmp(row->key[i].name, name))
			return row->key[i].value;
	return NULL;
}

const struct bench_value *bench_row_get_value(const struct bench_row *row, const char *metric)
{
	for (unsigned i = 0; i < row->n_values; i++)
		if (!strcmp(row->value[i].metric, metric))
			return &row->value[i];
	return NULL;
}
