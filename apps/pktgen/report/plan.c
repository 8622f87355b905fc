/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plan.h"

#include <stdio.h>

#include "cli/messages.h"
#include "cli/units.h"
#include "run/run.h"

enum { LINE_BYTES = 512, ENDPOINT_BYTES = 80 };

static int format_ip(uint32_t ip, char *text, size_t bytes)
{
	return snprintf(text, bytes, "%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255,
			ip & 255);
}

static int format_port(uint32_t port, char *text, size_t bytes)
{
	return snprintf(text, bytes, "%u", port);
}

/* Writes one value, "1024-65535" or "random 1024-65535". Returns the length. */
static int format_pattern(const struct pattern *p, int (*format)(uint32_t, char *, size_t),
			  char *text, size_t bytes)
{
	int n = 0;

	if (p->kind == PATTERN_RANDOM)
		n = snprintf(text, bytes, "random ");
	n += format(p->start, text + n, bytes - (size_t)n);
	if (p->count > 1) {
		text[n++] = '-';
		n += format(pattern_get_last(p), text + n, bytes - (size_t)n);
	}
	return n;
}

/* Writes the addresses and ports of an endpoint: "198.18.0.1:49152". */
static void format_endpoint(const struct endpoint *e, char text[ENDPOINT_BYTES])
{
	int n = format_pattern(&e->ip, format_ip, text, ENDPOINT_BYTES);

	text[n++] = ':';
	format_pattern(&e->port, format_port, text + n, ENDPOINT_BYTES - (size_t)n);
}

/* Returns " (mean 354.3)" if the frames have several sizes, else "". */
static const char *format_mean(const struct size *s)
{
	static char text[LINE_BYTES];

	if (s->min == s->max)
		return "";
	snprintf(text, sizeof(text), " (mean %.1f)", size_compute_mean(s));
	return text;
}

static void format_amount(const struct run *r, char *text)
{
	const struct options *o = r->o;
	int n = 0;

	if (r->tx[0].count != 1ull << PKTGEN_MAX_SEQ_LOG2)
		n = snprintf(text, LINE_BYTES, ", %s packets", units_format_count(r->tx[0].count));
	if (o->duration_ns)
		n += snprintf(text + n, (size_t)(LINE_BYTES - n), ", %s%gs", n ? "at most " : "",
			      (double)o->duration_ns / 1e9);
	switch (o->rate.unit) {
	case RATE_MAX:
		snprintf(text + n, (size_t)(LINE_BYTES - n), ", as fast as possible");
		break;
	case RATE_PACKETS:
		snprintf(text + n, (size_t)(LINE_BYTES - n), ", %spps",
			 units_format_si((double)o->rate.milli / 1000));
		break;
	case RATE_BITS:
		snprintf(text + n, (size_t)(LINE_BYTES - n), ", %sb/s of frames",
			 units_format_si((double)o->rate.milli / 1000));
		break;
	case RATE_LINE:
		snprintf(text + n, (size_t)(LINE_BYTES - n), ", %g%% of the link",
			 (double)o->rate.milli / 1000);
		break;
	}
}

/* Names the sender of flow @i, and why --sender auto did not choose the generator ring. */
static void report_sender(const struct run *r, unsigned i)
{
	const struct tx *tx = &r->tx[i];

	report_line("flow %u: sender %s%s%s%s", i, tx->sender->name,
		    r->o->sender == SENDER_AUTO ? " (auto)" : "", *tx->sender_why ? ": " : "",
		    tx->sender_why);
}

void report_plan(const struct run *r)
{
	char amount[LINE_BYTES] = "";

	format_amount(r, amount);
	for (unsigned i = 0; i < r->n_flows; i++) {
		const struct options *o = r->o;
		char size[LINE_BYTES], from[ENDPOINT_BYTES], to[ENDPOINT_BYTES];
		const struct endpoint *src = i ? &o->dst : &o->src, *dst = i ? &o->src : &o->dst;

		if (o->pcap) {
			report_line("flow %u: port %u -> %u, capture %s: %s frames of at most %u "
				    "bytes%s",
				    i, r->tx[i].port, r->rx[i].port, o->pcap,
				    units_format_count(r->capture.n_frames),
				    r->capture.max_bytes + PKTGEN_FCS_BYTES, amount);
			continue;
		}
		size_format(&o->size, size, sizeof(size));
		format_endpoint(src, from);
		format_endpoint(dst, to);
		report_line("flow %u: port %u -> %u, UDP %s -> %s, frames of %s bytes%s%s%s", i,
			    r->tx[i].port, r->rx[i].port, from, to, size, format_mean(&o->size),
			    o->send_only ? "" : ", signed", amount);
	}
	for (unsigned i = 0; i < r->n_flows; i++)
		report_sender(r, i);
	if (r->capture.n_padded)
		report_line("%s: padded %s frames with zeros to 64 bytes with FCS, as adapters do",
			    r->o->pcap, units_format_count(r->capture.n_padded));
	if (r->capture.n_twins)
		report_line(
			"%s: %s frames have the same bytes as another frame: if one of these is "
			"lost and another duplicated, the counters show neither",
			r->o->pcap, units_format_count(r->capture.n_twins));
}
