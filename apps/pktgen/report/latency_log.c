/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/latency_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "measure/histogram_encode.h"

/* Copies a name and replaces commas and spaces, which a tag cannot have. */
static void make_tag(const char *name, char tag[JOB_NAME_BYTES])
{
	snprintf(tag, JOB_NAME_BYTES, "%s", name);
	for (char *c = tag; *c; c++)
		*c = *c == ',' || *c == ' ' ? '_' : *c;
}

static enum pktgen_exit write_line(struct record_file *file, const struct figures *f,
				   const char *name, const char *suffix, const struct histogram *h)
{
	char *data = histogram_encode_text(h), *line = NULL, tag[JOB_NAME_BYTES];
	enum pktgen_exit e;
	int n;

	make_tag(name, tag);
	n = data ? asprintf(&line, "Tag=%s%s,0.000,%.3f,%.3f,%s\n", tag, suffix,
			    (double)f->ns / 1e9, (double)h->max_ns / 1e6, data)
		 : -1;
	free(data);
	if (n < 0)
		return report_error(PKTGEN_REPORT, "--latency-log %s: no memory", file->path);
	e = record_file_write(file, line, (size_t)n);
	free(line);
	return e;
}

/* Writes a comment for each receiving port: its clock, and by how much its times may be wrong. */
static enum pktgen_exit write_clocks(struct record_file *file, const struct figures *f)
{
	enum pktgen_exit e = PKTGEN_MET;
	char text[128];

	for (unsigned i = 0; i < f->n_ports && !e; i++) {
		struct receive_clock clock;

		if (!figures_get_clock(&f->ports[i], &clock))
			continue;
		const int n = snprintf(
			text, sizeof(text),
			clock.is_device ? "#[Port %u: receive time: device, within %llu ns]\n"
					: "#[Port %u: receive time: TSC, up to %llu ns late]\n",
			f->ports[i].port->id, (unsigned long long)clock.error_ns);
		e = record_file_write(file, text, (size_t)n);
	}
	return e;
}

enum pktgen_exit latency_log_write(struct record_file *file, const struct figures *f)
{
	static const char head[] =
		"#[Histograms of devx-pktgen: ns from making to receiving a frame, and jitter]\n"
		"#[Histogram log format version 1.3]\n";
	static const char columns[] =
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_"
		"Histogram\"\n";
	enum pktgen_exit e = record_file_write(file, head, strlen(head));

	if (!e)
		e = write_clocks(file, f);
	if (!e)
		e = record_file_write(file, columns, strlen(columns));
	for (unsigned i = 0; file->path && i < f->n_flows && !e; i++) {
		const struct figures_flow *flow = &f->flows[i];

		if (flow->latency.times)
			e = write_line(file, f, flow->flow->name, "", flow->latency.times);
		if (flow->jitter.times && !e)
			e = write_line(file, f, flow->flow->name, "_jitter", flow->jitter.times);
	}
	return e;
}
