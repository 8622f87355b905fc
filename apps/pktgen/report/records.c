/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/records.h"

#include "cli/messages.h"
#include "report/csv.h"
#include "report/distinct_files.h"
#include "report/json.h"
#include "report/latency_log.h"

enum pktgen_exit records_open(struct records *s, const struct options *o, const struct job *j)
{
	const struct record_file *const files[] = { &s->json, &s->csv, &s->latency_log };
	enum pktgen_exit e = record_file_open(&s->json, "json", o->json);

	s->csv.fd = -1;
	s->latency_log.fd = -1;
	if (!e)
		e = record_file_open(&s->csv, "csv", o->csv);
	if (!e)
		e = record_file_open(&s->latency_log, "latency-log", o->latency_log);
	return e ? e : distinct_files_check(o, j, files, RTE_DIM(files));
}

/* Observes the run. A failed write has printed its line already; the run continues. */
static void write_interval(void *arg, const char *stage)
{
	struct records *s = arg;
	struct figures last;

	figures_read(&s->now, s->run, false);
	json_write_interval(&s->json, &s->now, &s->last, stage);
	csv_write_rows(&s->csv, &s->now, &s->last, stage);
	last = s->last;
	s->last = s->now;
	s->now = last;
}

static enum pktgen_exit begin_files(struct records *s)
{
	enum pktgen_exit e = record_file_begin(&s->json);

	if (!e)
		e = record_file_begin(&s->csv);
	return e ? e : record_file_begin(&s->latency_log);
}

enum pktgen_exit records_start(struct records *s, struct run *r)
{
	enum pktgen_exit e = begin_files(s);

	if (e || (!s->json.path && !s->csv.path))
		return e;
	s->run = r;
	if (figures_init(&s->now, r) || figures_init(&s->last, r))
		return report_error(PKTGEN_ENVIRONMENT,
				    "no memory for the reports; free some memory");
	r->observer = (struct observer){ r->o->interval_ns / 1000000, write_interval, s };
	e = json_write_start(&s->json, r);
	return e ? e : csv_write_header(&s->csv);
}

enum pktgen_exit records_finish(struct records *s, const struct figures *f, const struct verdict *v)
{
	const enum pktgen_exit json = json_write_final(&s->json, s->run, f, v);
	const enum pktgen_exit csv = csv_write_rows(&s->csv, f, NULL, "final");
	const enum pktgen_exit log = latency_log_write(&s->latency_log, f);

	return json ? json : csv ? csv : log;
}

enum pktgen_exit records_close(struct records *s)
{
	const enum pktgen_exit json = record_file_close(&s->json);
	const enum pktgen_exit csv = record_file_close(&s->csv);
	const enum pktgen_exit log = record_file_close(&s->latency_log);

	figures_free(&s->now);
	figures_free(&s->last);
	return json ? json : csv ? csv : log;
}
