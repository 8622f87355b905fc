/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include <stdio.h>

#include "base/row.h"

/**
 * report_csv_write - write one line per value (RFC 4180, but lines end with LF)
 *
 * Columns: case, driver, function, one per key, metric, unit, median, low, high, samples, rejected,
 * missing. A row that was not measured has one line without a metric.
 *
 * Return: 0, or -EIO
 */
int report_csv_write(FILE *to, const struct bench_table *table);

#endif
