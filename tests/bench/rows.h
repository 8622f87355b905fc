/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <stdio.h>

#include "base/row.h"

/** rows_make - a row of net_devx at a burst, with cycles and their interval, and a count */
struct bench_row rows_make(const char *burst, double cycles, double half, double count);

/** rows_print - Return: the text that @print writes about @table; the caller frees it */
char *rows_print(const struct bench_table *table,
		 void (*print)(FILE *, const struct bench_table *));

/** rows_write_file - write @text to a new file. Return: its path, until the next call */
const char *rows_write_file(const char *text);

#endif
