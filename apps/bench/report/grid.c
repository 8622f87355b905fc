/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/grid.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"

void report_format_number(double v, char *text, size_t bytes)
{
	static const double whole = 1e15; /* larger numbers would not fit into a column */

	if (v == floor(v) && fabs(v) < whole)
		snprintf(text, bytes, "%.0f", v);
	else if (fabs(v) < 1)
		snprintf(text, bytes, "%.3g", v);
	else
		snprintf(text, bytes, "%.*f", fabs(v) < 100 ? 2 : fabs(v) < 1000 ? 1 : 0, v);
}

void report_format_value(const struct bench_value *v, char *text, size_t bytes)
{
	char median[32], low[32], high[32];

	report_format_number(v->median, median, sizeof(median));
	report_format_number(v->low, low, sizeof(low));
	report_format_number(v->high, high, sizeof(high));
	if (!strcmp(low, high) && !strcmp(low, median))
		snprintf(text, bytes, "%s", median);
	else
		snprintf(text, bytes, "%s (%s-%s)", median, low, high);
}

/* Fills the cells of one line. Columns that a row lacks stay empty. */
static void fill_line(const struct report_columns *c, const struct bench_row *row,
		      char (*cell)[GRID_CELL_BYTES])
{
	unsigned rejected = 0, at = 0;

	for (unsigned k = 0; k < c->n_keys; k++) {
		const char *value = bench_row_get_key(row, c->key[k]);

		snprintf(cell[at++], GRID_CELL_BYTES, "%s", value ? value : "");
	}
	snprintf(cell[at++], GRID_CELL_BYTES, "%s", row->driver);
	for (unsigned m = 0; m < c->n_metrics; m++, at++) {
		const struct bench_value *v = bench_row_get_value(row, c->metric[m]);

		if (v)
			report_format_value(v, cell[at], GRID_CELL_BYTES);
	}
	for (unsigned v = 0; v < row->n_values; v++)
		if (row->value[v].n_rejected > rejected)
			rejected = row->value[v].n_rejected;
	if (c->rejected)
		snprintf(cell[at++], GRID_CELL_BYTES, "%u", rejected);
	if (!c->functions && !c->missing)
		return;
	if (row->missing[0])
		snprintf(cell[at], GRID_CELL_BYTES, "not measured: %.160s", row->missing);
	else
		snprintf(cell[at], GRID_CELL_BYTES, "%s", row->function);
}

static void fill_headings(struct report_grid *grid, const struct report_columns *c)
{
	unsigned at = 0;

	for (unsigned k = 0; k < c->n_keys; k++)
		snprintf(grid->cell[at++], GRID_CELL_BYTES, "%s", c->key[k]);
	snprintf(grid->cell[at++], GRID_CELL_BYTES, "driver");
	for (unsigned m = 0; m < c->n_metrics; m++) {
		grid->number[at] = true;
		snprintf(grid->cell[at++], GRID_CELL_BYTES, "%s", c->metric[m]);
	}
	if (c->rejected) {
		grid->number[at] = true;
		snprintf(grid->cell[at++], GRID_CELL_BYTES, "rejected windows");
	}
	if (c->functions || c->missing)
		snprintf(grid->cell[at], GRID_CELL_BYTES, "%s", c->functions ? "function" : "note");
}

int report_grid_alloc(struct report_grid *grid, unsigned n_lines, unsigned n_columns)
{
	*grid = (struct report_grid){ n_lines, n_columns, .separator = '_' };
	grid->cell = calloc((size_t)n_lines * n_columns, GRID_CELL_BYTES);
	grid->number = calloc(n_columns, sizeof(*grid->number));
	if (grid->cell && grid->number)
		return 0;
	report_grid_free(grid);
	return -ENOMEM;
}

int report_grid_make(struct report_grid *grid, const struct bench_table *table,
		     const char *case_name)
{
	struct report_columns c;
	unsigned line = 1, n_lines = 1;
	int rc;

	report_columns_find(table, case_name, &c);
	for (size_t i = 0; i < table->n_rows; i++)
		n_lines += !strcmp(table->row[i].case_name, case_name);
	rc = report_grid_alloc(grid, n_lines,
			       c.n_keys + 1 + c.n_metrics + c.rejected +
				       (c.functions || c.missing));
	if (rc)
		return rc;
	fill_headings(grid, &c);
	for (size_t i = 0; i < table->n_rows; i++)
		if (!strcmp(table->row[i].case_name, case_name))
			fill_line(&c, &table->row[i], &grid->cell[line++ * grid->n_columns]);
	return 0;
}

void report_grid_free(struct report_grid *grid)
{
	free(grid->cell);
	free(grid->number);
	*grid = (struct report_grid){ 0 };
}
