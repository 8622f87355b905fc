/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include <stdbool.h>

#include "base/row.h"

enum { COLUMNS_MAX_KEYS = 24, COLUMNS_MAX_METRICS = 48 };

/** struct report_columns - the names that occur in rows, in the order of their first row */
struct report_columns {
	const char *key[COLUMNS_MAX_KEYS], *metric[COLUMNS_MAX_METRICS];
	unsigned n_keys, n_metrics;
	bool functions; /* a row names its burst function */
	bool missing;   /* a row was not measured */
	bool rejected;  /* windows of a value did not count */
};

/** report_columns_find - find the names in the rows of @case_name; NULL: of all cases */
void report_columns_find(const struct bench_table *table, const char *case_name,
			 struct report_columns *columns);

/** report_is_first - tell whether row @i is the first one of its case */
bool report_is_first(const struct bench_table *table, size_t i);

#endif
