/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/merge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define OWN "net_devx"

enum { MAX_COLUMNS = 8, POINT_BYTES = 128, N_METRICS = 4 };

static const char *const metrics[N_METRICS] = {
	"instructions_per_packet",
	"instructions_per_call",
	"tsc_cycles_per_packet",
	"tsc_cycles_per_call",
};

/* One driver of one run. */
struct column {
	const struct report_run *run;
	const char *driver;
};

struct merging {
	struct column column[MAX_COLUMNS];
	unsigned n_columns;
	bool ratios; /* column 0 is net_devx, and a point has instructions */
	const struct report_run *run[2];
};

static const struct bench_value *find_metric(const struct bench_row *row)
{
	const struct bench_value *v = NULL;

	for (unsigned i = 0; !v && i < N_METRICS; i++)
		v = bench_row_get_value(row, metrics[i]);
	return v;
}

static bool has_instructions(const struct bench_value *v)
{
	return !strncmp(v->unit, "instructions", strlen("instructions"));
}

/* Formats a point as `devx-bench list` does, but without the method. */
static void name_point(const struct bench_row *row, char *text)
{
	size_t used = (size_t)snprintf(text, POINT_BYTES, "%s", row->case_name);

	for (unsigned k = 0; k < row->n_keys && used < POINT_BYTES; k++)
		if (strcmp(row->key[k].name, "method"))
			used += (size_t)snprintf(text + used, POINT_BYTES - used, "/%s=%s",
						 row->key[k].name, row->key[k].value);
}

static bool is_step(const struct bench_row *row)
{
	const char *method = bench_row_get_key(row, "method");

	return method && !strcmp(method, "step");
}

/* Returns the value of @driver at a point, or of any driver if @driver is NULL. */
static const struct bench_value *find_value(const struct report_run *run, const char *driver,
					    const char *point)
{
	const struct bench_value *found = NULL;
	char text[POINT_BYTES];

	for (size_t i = 0; i < run->table->n_rows; i++) {
		const struct bench_row *row = &run->table->row[i];
		const struct bench_value *v = find_metric(row);

		name_point(row, text);
		if (v && !strcmp(text, point) && (!driver || !strcmp(row->driver, driver)) &&
		    (!found || is_step(row)))
			found = v;
	}
	return found;
}

static void find_columns(struct merging *m)
{
	for (unsigned r = 0; r < 2; r++)
		for (size_t i = 0; i < m->run[r]->table->n_rows; i++) {
			const struct bench_row *row = &m->run[r]->table->row[i];
			unsigned c = 0;

			if (!find_metric(row))
				continue;
			while (c < m->n_columns && (m->column[c].run != m->run[r] ||
						    strcmp(m->column[c].driver, row->driver)))
				c++;
			if (c == m->n_columns && c < MAX_COLUMNS)
				m->column[m->n_columns++] =
					(struct column){ m->run[r], row->driver };
		}
}

/* Moves net_devx to the front; if both runs have it, that of this run. */
static void put_own_first(struct merging *m)
{
	unsigned c = 0;

	while (c < m->n_columns && strcmp(m->column[c].driver, OWN))
		c++;
	if (c == m->n_columns)
		return;
	const struct column own = m->column[c];

	memmove(&m->column[1], &m->column[0], c * sizeof(own));
	m->column[0] = own;
	for (size_t i = 0; i < m->run[0]->table->n_rows; i++) {
		const struct bench_value *v = find_metric(&m->run[0]->table->row[i]);

		m->ratios |= v && has_instructions(v);
	}
}

/* Is row @i the first one of a point that both runs measured? */
static bool is_line(const struct merging *m, size_t i, char *point)
{
	const struct bench_table *table = m->run[0]->table;
	char before[POINT_BYTES];

	if (!find_metric(&table->row[i]))
		return false;
	name_point(&table->row[i], point);
	for (size_t b = 0; b < i; b++) {
		name_point(&table->row[b], before);
		if (find_metric(&table->row[b]) && !strcmp(before, point))
			return false;
	}
	return find_value(m->run[1], NULL, point) != NULL;
}

static char *get_cell(struct report_grid *grid, unsigned line, unsigned column)
{
	return grid->cell[line * grid->n_columns + column];
}

/* "net_mlx5 25.11.4", without the word DPDK */
static void fill_headings(const struct merging *m, struct report_grid *grid)
{
	unsigned at = 1 + m->n_columns;

	snprintf(get_cell(grid, 0, 0), GRID_CELL_BYTES, "point");
	for (unsigned c = 0; c < m->n_columns; c++) {
		const char *dpdk = m->column[c].run->dpdk;
		char name[GRID_CELL_BYTES / 2];

		dpdk += strncmp(dpdk, "DPDK ", 5) ? 0 : 5;
		snprintf(name, sizeof(name), "%s %s", m->column[c].driver, dpdk);
		snprintf(get_cell(grid, 0, 1 + c), GRID_CELL_BYTES, "%s", name);
		if (m->ratios && c)
			snprintf(get_cell(grid, 0, at++), GRID_CELL_BYTES, "ratio to %s", name);
	}
	for (unsigned c = 1; c < grid->n_columns; c++)
		grid->number[c] = true;
	grid->separator = ' ';
}

static void fill_line(const struct merging *m, struct report_grid *grid, unsigned line,
		      const char *point)
{
	const struct bench_value *v[MAX_COLUMNS];
	unsigned at = 1 + m->n_columns;

	snprintf(get_cell(grid, line, 0), GRID_CELL_BYTES, "%s", point);
	for (unsigned c = 0; c < m->n_columns; c++) {
		v[c] = find_value(m->column[c].run, m->column[c].driver, point);
		if (v[c])
			report_format_number(v[c]->median, get_cell(grid, line, 1 + c),
					     GRID_CELL_BYTES);
	}
	for (unsigned c = 1; m->ratios && c < m->n_columns; c++, at++)
		if (v[0] && v[c] && v[c]->median > 0 && has_instructions(v[0]))
			snprintf(get_cell(grid, line, at), GRID_CELL_BYTES, "%.2f",
				 v[0]->median / v[c]->median);
}

int report_merge(const struct report_run *now, const struct report_run *other,
		 struct report_grid *grid)
{
	struct merging m = { .run = { now, other } };
	unsigned n_lines = 1, line = 1;
	char point[POINT_BYTES];
	int rc;

	*grid = (struct report_grid){ 0 };
	find_columns(&m);
	put_own_first(&m);
	for (size_t i = 0; i < now->table->n_rows; i++)
		n_lines += is_line(&m, i, point);
	if (n_lines == 1)
		return 0;
	rc = report_grid_alloc(grid, n_lines, 1 + m.n_columns + (m.ratios ? m.n_columns - 1 : 0));
	if (rc)
		return rc;
	fill_headings(&m, grid);
	for (size_t i = 0; i < now->table->n_rows; i++)
		if (is_line(&m, i, point))
			fill_line(&m, grid, line++, point);
	return 0;
}
