/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "report/rate.h"

static const char header[] = "stage,time_s,interval_s,kind,name,frames_tx,bytes_tx,frames_rx,"
			     "bytes_rx,frames_tx_rate,bytes_tx_rate,frames_rx_rate,bytes_rx_rate,"
			     "lost,duplicated,reordered,corrupted,unreadable,changed\n";

/* The rows of one record while they are written. */
struct rows {
	FILE *to;
	const char *stage;
	double time, interval;
	bool is_final;
};

enum pktgen_exit csv_write_header(struct record_file *file)
{
	return record_file_write(file, header, sizeof(header) - 1);
}

/* Prints a name as RFC 4180 says: in quotation marks, which are doubled inside. */
static void print_name(FILE *to, const char *name)
{
	putc('"', to);
	for (; *name; name++) {
		if (*name == '"')
			putc('"', to);
		putc(*name, to);
	}
	putc('"', to);
}

/* Prints a row up to the rates. The caller ends the line. */
static void print_row(const struct rows *rows, const char *kind, const char *name,
		      const struct figures_side now[2], const struct measured_rate rates[2])
{
	fprintf(rows->to, "%s,%.3f,%.3f,%s,", rows->stage, rows->time, rows->interval, kind);
	print_name(rows->to, name);
	for (unsigned i = 0; i < 2; i++)
		fprintf(rows->to, ",%" PRIu64 ",%" PRIu64, now[i].packets, now[i].bytes);
	for (unsigned i = 0; i < 2; i++) {
		if (rates[i].is_known)
			fprintf(rows->to, ",%.3f,%.3f", rates[i].packets, rates[i].bytes);
		else
			fputs(",,", rows->to);
	}
}

static void print_port(const struct rows *rows, const struct figures_port *p,
		       const struct figures_port *last)
{
	const struct figures_side now[] = { p->tx, p->rx };
	const struct measured_rate rates[] = {
		rate_measure(&p->tx, last ? &last->tx : NULL, rows->interval),
		rate_measure(&p->rx, last ? &last->rx : NULL, rows->interval),
	};

	print_row(rows, "port", p->port->device, now, rates);
	fputs(",,,,,,\n", rows->to);
}

/* The contents of a row of a flow, or of all flows. */
struct counted {
	const char *kind, *name;
	const struct figures_side *tx, *rx, *last_tx, *last_rx;
	const struct account *account;
};

static void print_counted(const struct rows *rows, const struct counted *c)
{
	const struct figures_side now[] = { *c->tx, *c->rx };
	const struct measured_rate rates[] = {
		rate_measure(c->tx, c->last_tx, rows->interval),
		rate_measure(c->rx, c->last_rx, rows->interval),
	};
	const struct account *a = c->account;

	print_row(rows, c->kind, c->name, now, rates);
	if (rows->is_final)
		fprintf(rows->to,
			",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			"\n",
			a->lost, a->duplicated, a->reordered, a->corrupted, a->unreadable,
			a->changed);
	else
		fputs(",,,,,,\n", rows->to);
}

static void print_flow(const struct rows *rows, const struct figures_flow *f,
		       const struct figures_flow *last)
{
	const struct counted c = { "flow",     f->flow->name,           &f->tx,
				   &f->rx,     last ? &last->tx : NULL, last ? &last->rx : NULL,
				   &f->account };

	print_counted(rows, &c);
}

static void print_total(const struct rows *rows, const struct figures *f,
			const struct figures *last)
{
	const struct counted c = { "total",
				   "all flows",
				   &f->tx,
				   &f->rx,
				   last ? &last->tx : NULL,
				   last ? &last->rx : NULL,
				   &f->account };

	print_counted(rows, &c);
}

enum pktgen_exit csv_write_rows(struct record_file *file, const struct figures *f,
				const struct figures *last, const char *stage)
{
	struct rows rows = { .stage = stage, .is_final = !last };
	enum pktgen_exit e;
	char *text = NULL;
	size_t bytes = 0;

	if (!file->path)
		return PKTGEN_MET;
	rows.time = (double)f->ns / 1e9;
	rows.interval = (double)(f->ns - (last ? last->ns : 0)) / 1e9;
	rows.to = open_memstream(&text, &bytes);
	if (!rows.to)
		return report_error(PKTGEN_REPORT, "--csv %s: no memory", file->path);
	for (unsigned i = 0; i < f->n_ports; i++)
		print_port(&rows, &f->ports[i], last ? &last->ports[i] : NULL);
	for (unsigned i = 0; i < f->n_flows; i++)
		print_flow(&rows, &f->flows[i], last ? &last->flows[i] : NULL);
	print_total(&rows, f, last);
	fclose(rows.to);
	e = record_file_write(file, text, bytes);
	free(text);
	return e;
}
