/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/columns.h"

#include <string.h>

static void add_name(const char **list, unsigned *n, unsigned most, const char *name)
{
	for (unsigned i = 0; i < *n; i++)
		if (!strcmp(list[i], name))
			return;
	if (*n < most)
		list[(*n)++] = name;
}

void report_columns_find(const struct bench_table *table, const char *case_name,
			 struct report_columns *c)
{
	*c = (struct report_columns){ 0 };
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct bench_row *row = &table->row[i];

		if (case_name && strcmp(case_name, row->case_name))
			continue;
		for (unsigned k = 0; k < row->n_keys; k++)
			add_name(c->key, &c->n_keys, COLUMNS_MAX_KEYS, row->key[k].name);
		for (unsigned v = 0; v < row->n_values; v++) {
			add_name(c->metric, &c->n_metrics, COLUMNS_MAX_METRICS,
				 row->value[v].metric);
			c->rejected |= row->value[v].n_rejected > 0;
		}
		c->functions |= row->function[0] != '\0';
		c->missing |= row->missing[0] != '\0';
	}
}

bool report_is_first(const struct bench_table *table, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (!strcmp(table->row[before].case_name, table->row[i].case_name))
			return false;
	return true;
}
