/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stddef.h>

/**
 * DOC: Rows of measurements
 *
 * A case adds a row for each driver and point. Keys identify the point ("burst" = 64), values are
 * what was measured there. The report prints rows as a table, JSON, CSV or plots, and knows nothing
 * about the cases.
 */

#define BENCH_MAX_KEYS 8
#define BENCH_MAX_VALUES 24

struct bench_key {
	const char *name; /* "burst", "size", "cache", "queues"...; a literal */
	char value[24];
};

/**
 * struct bench_value - one measured or counted value of a row
 * @metric: name in JSON and CSV, a literal: "tsc_cycles_per_packet"
 * @unit: "cycles/packet"; a literal. To --compare, a rise is better if it ends with "/s" or "pps".
 *	A change is not judged if it is "", "x", "ratio" or "packets". Otherwise, a rise is worse.
 *	Cycles and times (ns, us, ms, s) are never exact
 * @median: the value; for counts that repeat exactly, the count
 * @low, @high: ends of the 95 % interval; equal to @median for exact counts
 * @n_samples: windows that count
 * @n_rejected: windows that do not count, because the thread lost its core
 */
struct bench_value {
	const char *metric, *unit;
	double median, low, high;
	unsigned n_samples, n_rejected;
};

/**
 * struct bench_row - what one driver did at one point
 * @case_name: a literal, "cycles/rx"
 * @driver: name of the PMD, "net_devx"
 * @function: name of the burst function from rte_eth_rx_burst_mode_get() or the driver, or ""
 * @missing: the reason why nothing was measured, one clause; "" if the values are valid
 */
struct bench_row {
	const char *case_name;
	char driver[32];
	char function[80];
	struct bench_key key[BENCH_MAX_KEYS];
	unsigned n_keys;
	struct bench_value value[BENCH_MAX_VALUES];
	unsigned n_values;
	char missing[160];
};

/** struct bench_table - all rows of a run; zero it before the first use */
struct bench_table {
	struct bench_row *row;
	size_t n_rows, room;
};

/** bench_table_add - append a copy of @row; Return: 0 or -ENOMEM */
int bench_table_add(struct bench_table *table, const struct bench_row *row);

/** bench_table_free - release all rows and zero @table */
void bench_table_free(struct bench_table *table);

/** bench_row_key - add key @name with a formatted value to @row; ignored beyond BENCH_MAX_KEYS */
void bench_row_key(struct bench_row *row, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** bench_row_get_key - get the value of the key @name, or NULL */
const char *bench_row_get_key(const struct bench_row *row, const char *name);

/** bench_row_get_value - get the value with the name @metric, or NULL */
const struct bench_value *bench_row_get_value(const struct bench_row *row, const char *metric);

/** bench_row_exact - add a value that repeats exactly; ignored beyond BENCH_MAX_VALUES */
void bench_row_exact(struct bench_row *row, const char *metric, const char *unit, double value);

#endif
