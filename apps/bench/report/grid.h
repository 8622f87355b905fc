/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include <stdbool.h>

#include "base/row.h"

enum { GRID_CELL_BYTES = 192 };

/**
 * struct report_grid - rows of one case as text
 * @cell: n_lines * n_columns texts; line 0 has the headings
 * @number: for each column, whether it has numbers
 * @separator: between the words of a heading; a printed table has a space or a new line there
 */
struct report_grid {
	unsigned n_lines, n_columns;
	char (*cell)[GRID_CELL_BYTES];
	bool *number;
	char separator;
};

/**
 * report_grid_make - make columns of keys, driver, metrics; also rejected and function if any
 *
 * Return: 0 or -ENOMEM
 */
int report_grid_make(struct report_grid *grid, const struct bench_table *table,
		     const char *case_name);

/** report_grid_alloc - make an empty grid. Return: 0 or -ENOMEM */
int report_grid_alloc(struct report_grid *grid, unsigned n_lines, unsigned n_columns);

static inline const char *report_grid_cell(const struct report_grid *grid, unsigned line,
					   unsigned column)
{
	return grid->cell[line * grid->n_columns + column];
}

void report_grid_free(struct report_grid *grid);

/** report_format_value - format "17.2 (17.0-17.4)", or "44" for a count that repeats exactly */
void report_format_value(const struct bench_value *v, char *text, size_t bytes);

/** report_format_number - format four digits, or all digits of a whole number */
void report_format_number(double v, char *text, size_t bytes);

#endif
