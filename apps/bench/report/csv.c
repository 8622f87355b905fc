/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/csv.h"

#include <errno.h>
#include <string.h>

#include "report/columns.h"

/* Quotes text that has a comma, a quote or a line end, and doubles its quotes. */
static void write_text(FILE *to, const char *text)
{
	const bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (quoted)
		fputc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', to);
		fputc(*text, to);
	}
	if (quoted)
		fputc('"', to);
}

static void write_field(FILE *to, const char *text)
{
	write_text(to, text);
	fputc(',', to);
}

static void write_row_fields(FILE *to, const struct report_columns *c, const struct bench_row *row)
{
	write_field(to, row->case_name);
	write_field(to, row->driver);
	write_field(to, row->function);
	for (unsigned k = 0; k < c->n_keys; k++) {
		const char *value = bench_row_get_key(row, c->key[k]);

		write_field(to, value ? value : "");
	}
}

static void write_header(FILE *to, const struct report_columns *c)
{
	fputs("case,driver,function,", to);
	for (unsigned k = 0; k < c->n_keys; k++)
		write_field(to, c->key[k]);
	fputs("metric,unit,median,low,high,samples,rejected,missing\n", to);
}

int report_csv_write(FILE *to, const struct bench_table *table)
{
	struct report_columns c;

	report_columns_find(table, NULL, &c);
	write_header(to, &c);
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct bench_row *row = &table->row[i];

		for (unsigned n = 0; n < row->n_values; n++) {
			const struct bench_value *v = &row->value[n];

			write_row_fields(to, &c, row);
			write_field(to, v->metric);
			write_field(to, v->unit);
			fprintf(to, "%.9g,%.9g,%.9g,%u,%u,\n", v->median, v->low, v->high,
				v->n_samples, v->n_rejected);
		}
		if (!row->missing[0])
			continue;
		write_row_fields(to, &c, row);
		fputs(",,,,,,,", to);
		write_text(to, row->missing);
		fputc('\n', to);
	}
	return fflush(to) || ferror(to) ? -EIO : 0;
}
