/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/table.h"

#include <errno.h>
#include <string.h>

#include "report/columns.h"
#include "report/grid.h"

enum {
	HEADING_WIDTH = 12,
	SPACES_BETWEEN = 2,
	MAX_COLUMNS = COLUMNS_MAX_KEYS + COLUMNS_MAX_METRICS + 3, /* driver, rejected, function */
};

/*
 * Returns how many characters of a heading fit on its next line: words with @separator between
 * them, at most HEADING_WIDTH characters in all, or one longer word.
 */
static unsigned measure_heading_line(const char *text, char separator)
{
	const char separators[] = { separator, '\0' };
	unsigned taken = 0;

	for (;;) {
		const unsigned word = (unsigned)strcspn(text + taken + (taken > 0), separators);
		const unsigned with = taken + (taken > 0) + word;

		if (taken && with > HEADING_WIDTH)
			return taken;
		taken = with;
		if (!text[taken])
			return taken;
	}
}

/* Finds line @line of a heading. Returns its length; 0 if the heading has fewer lines. */
static unsigned find_heading_line(const char **text, unsigned line, char separator)
{
	unsigned n = measure_heading_line(*text, separator);

	for (; line && n; line--) {
		*text += n + ((*text)[n] == separator);
		n = **text ? measure_heading_line(*text, separator) : 0;
	}
	return n;
}

static unsigned measure_column(const struct report_grid *g, unsigned column)
{
	unsigned width = 0;

	for (unsigned part = 0;; part++) {
		const char *text = report_grid_cell(g, 0, column);
		const unsigned n = find_heading_line(&text, part, g->separator);

		if (!n)
			break;
		width = n > width ? n : width;
	}
	for (unsigned line = 1; line < g->n_lines; line++) {
		const unsigned n = (unsigned)strlen(report_grid_cell(g, line, column));

		width = n > width ? n : width;
	}
	return width;
}

/* A line of the table. Prints spaces only before the next text, so that no line ends with them. */
struct line {
	FILE *to;
	const struct report_grid *grid;
	unsigned width[MAX_COLUMNS], n_spaces;
};

static void print_cell(struct line *l, unsigned column, const char *text, unsigned n)
{
	const unsigned rest = l->width[column] - n;

	if (l->grid->number[column])
		l->n_spaces += rest;
	if (n)
		fprintf(l->to, "%*s%.*s", (int)l->n_spaces, "", (int)n, text);
	if (n)
		l->n_spaces = 0;
	if (!l->grid->number[column])
		l->n_spaces += rest;
	l->n_spaces += SPACES_BETWEEN;
}

static void end_line(struct line *l)
{
	fputc('\n', l->to);
	l->n_spaces = 0;
}

/* Prints the headings on as many lines as the longest needs. A separator becomes a space. */
static void print_headings(struct line *l)
{
	const struct report_grid *g = l->grid;

	for (unsigned part = 0;; part++) {
		unsigned any = 0;

		for (unsigned c = 0; c < g->n_columns; c++) {
			const char *text = report_grid_cell(g, 0, c);

			any += find_heading_line(&text, part, g->separator);
		}
		if (!any)
			return;
		for (unsigned c = 0; c < g->n_columns; c++) {
			const char *text = report_grid_cell(g, 0, c);
			const unsigned n = find_heading_line(&text, part, g->separator);
			char words[GRID_CELL_BYTES];

			snprintf(words, sizeof(words), "%.*s", (int)n, text);
			for (char *at = words; *at; at++)
				*at = *at == g->separator ? ' ' : *at;
			print_cell(l, c, words, n);
		}
		end_line(l);
	}
}

void report_grid_print(FILE *to, const struct report_grid *g)
{
	struct line l = { .to = to, .grid = g };

	for (unsigned c = 0; c < g->n_columns; c++)
		l.width[c] = measure_column(g, c);
	print_headings(&l);
	for (unsigned line = 1; line < g->n_lines; line++) {
		for (unsigned c = 0; c < g->n_columns; c++) {
			const char *text = report_grid_cell(g, line, c);

			print_cell(&l, c, text, (unsigned)strlen(text));
		}
		end_line(&l);
	}
}

void report_grid_write_markdown(FILE *to, const struct report_grid *g)
{
	for (unsigned line = 0; line < g->n_lines; line++) {
		for (unsigned c = 0; c < g->n_columns; c++)
			fprintf(to, "| %s ", report_grid_cell(g, line, c));
		fputs("|\n", to);
		for (unsigned c = 0; !line && c < g->n_columns; c++)
			fputs(g->number[c] ? "|---:" : "|---", to);
		if (!line)
			fputs("|\n", to);
	}
}

/* Calls @write for each case, with a blank line between two. */
static int write_cases(FILE *to, const struct bench_table *table, const char *heading,
		       void (*write)(FILE *to, const struct report_grid *g))
{
	struct report_grid g;

	for (size_t i = 0; i < table->n_rows; i++) {
		if (!report_is_first(table, i))
			continue;
		if (report_grid_make(&g, table, table->row[i].case_name))
			return -ENOMEM;
		fprintf(to, "%s%s%s\n", i ? "\n" : "", heading, table->row[i].case_name);
		if (*heading)
			fputc('\n', to);
		write(to, &g);
		report_grid_free(&g);
	}
	return fflush(to) || ferror(to) ? -EIO : 0;
}

int report_table_print(FILE *to, const struct bench_table *table)
{
	return write_cases(to, table, "", report_grid_print);
}

int report_markdown_write(FILE *to, const struct bench_table *table)
{
	return write_cases(to, table, "## ", report_grid_write_markdown);
}
