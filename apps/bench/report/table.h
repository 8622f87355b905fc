/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdio.h>

#include "base/row.h"
#include "report/grid.h"

/** report_table_print - print an aligned table for each case. Return: 0, -ENOMEM, -EIO */
int report_table_print(FILE *to, const struct bench_table *table);

/** report_markdown_write - write the same tables as Markdown. Return: 0, -ENOMEM, -EIO */
int report_markdown_write(FILE *to, const struct bench_table *table);

/** report_grid_print - print one aligned table, without a title */
void report_grid_print(FILE *to, const struct report_grid *grid);

/** report_grid_write_markdown - write one table as Markdown, without a title */
void report_grid_write_markdown(FILE *to, const struct report_grid *grid);

#endif
