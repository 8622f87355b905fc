/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plan.h"

#include <stdio.h>

#include "base/progress.h"
#include "cli/messages.h"
#include "cli/units.h"
#include "model/capture_file.h"
#include "packet/line.h"
#include "report/summary.h"
#include "run/extent.h"

enum {
	LINE_BYTES = 512,
	WORKER_BYTES = 1024,
	MAX_RUNS = 4,       /* numbers of runs in a line */
	MAX_INTERFACES = 8, /* lines for interfaces of a capture */
};

/* Returns " (mean 354.3)" if the frames have several sizes, else "". */
static const char *format_mean(const struct size *s)
{
	static char text[LINE_BYTES];

	if (s->min == s->max)
		return "";
	snprintf(text, sizeof(text), " (mean %.1f)", size_compute_mean(s));
	return text;
}

static void add_rate(struct line *l, const struct rate *rate)
{
	const double n = (double)rate->micro / RATE_MICRO;

	switch (rate->unit) {
	case RATE_MAX:
		line_add_text(l, "as fast as possible");
		break;
	case RATE_PACKETS:
		line_add_text(l, "%spps", units_format_si(n));
		break;
	case RATE_BITS:
		line_add_text(l, "%sb/s of frames", units_format_si(n));
		break;
	case RATE_LINE_BITS:
		line_add_text(l, "%sb/s of the line", units_format_si(n));
		break;
	case RATE_LINE:
		line_add_text(l, "%g%% of the link", n);
		break;
	}
}

/* Writes how many packets a flow sends, and when. */
static void format_amount(const struct job_flow *f, char text[LINE_BYTES])
{
	struct line l = { .text = text, .bytes = LINE_BYTES };

	*text = '\0';
	if (f->count)
		line_add_text(&l, ", %s packet%s", units_format_count(f->count),
			      units_get_plural(f->count));
	if (f->duration_ns)
		line_add_text(&l, ", %s%gs", f->count ? "at most " : "",
			      (double)f->duration_ns / 1e9);
	if (f->delay_ns)
		line_add_text(&l, ", after %gs", (double)f->delay_ns / 1e9);
	if (f->speed > 0) {
		line_add_text(&l, ", at the times of the capture, %g times as fast", f->speed);
		return;
	}
	if (f->burst_packets)
		line_add_text(&l, ", bursts of %s packet%s with gaps of %gs",
			      units_format_count(f->burst_packets),
			      units_get_plural(f->burst_packets), (double)f->burst_gap_ns / 1e9);
	line_add_text(&l, ", ");
	if (f->ramp_ns) {
		add_rate(&l, &f->ramp_from);
		line_add_text(&l, " at first, in %gs to ", (double)f->ramp_ns / 1e9);
	}
	add_rate(&l, &f->rate);
}

static void report_flow(const struct run *r, unsigned i)
{
	const struct job_flow *f = &r->job.flows[i];
	const unsigned tx = r->ports.port[f->tx].id, rx = r->ports.port[f->rx].id;
	char amount[LINE_BYTES], size[LINE_BYTES], stack[STACK_TEXT_BYTES];
	char expect[LINE_BYTES] = "";

	format_amount(f, amount);
	if (f->capture) {
		report_line("%s: port %u -> %u, capture %s%s%s: %s frame%s of at most %u bytes%s",
			    f->name, tx, rx, f->pcap, f->interface ? ", interface " : "",
			    f->interface ? f->interface : "",
			    units_format_count(f->capture->n_frames),
			    units_get_plural(f->capture->n_frames),
			    f->capture->max_bytes + PKTGEN_FCS_BYTES, amount);
		return;
	}
	size_format(&f->size, size, sizeof(size));
	stack_format(&f->stack, stack, sizeof(stack));
	if (!r->o->send_only && f->expect != EXPECT_SAME)
		snprintf(expect, sizeof(expect), ", expected: %s", expect_names[f->expect]);
	report_line("%s: port %u -> %u, %s, frames of %s bytes%s%s%s, checksums: %s%s", f->name, tx,
		    rx, stack, size, format_mean(&f->size), r->o->send_only ? "" : ", signed",
		    expect, f->offload.port ? "port" : "software", amount);
	if (f->size.name && f->size.named_min < f->size.min)
		report_line("%s: %s: frames below %u bytes are raised to %u, the least size with "
			    "its headers and the signature",
			    f->name, f->size.name, f->size.min, f->size.min);
}

/* Names the sender of a stream, and why --sender auto did not choose the generator ring. */
static void report_sender(const struct run *r, const struct stream *s)
{
	const struct tx *tx = &s->tx;
	char queue[LINE_BYTES] = "";

	if (s->from->n_tx > 1)
		snprintf(queue, sizeof(queue), ", send queue %u", tx->queue);
	report_line("%s%s: sender %s%s%s%s", r->job.flows[s->flow].name, queue, tx->sender->name,
		    r->o->sender == SENDER_AUTO ? " (auto)" : "", *tx->sender_why ? ": " : "",
		    tx->sender_why);
}

/* Says which runs signed frames of a capture; names the first few. */
static void report_signed(const struct capture *c, const char *path)
{
	char text[LINE_BYTES] = "";
	struct line l = { .text = text, .bytes = LINE_BYTES };
	unsigned n = 0;

	for (unsigned run = 0; run <= SIGN_MAX_RUN; run++) {
		if (!capture_has_run(c, run))
			continue;
		if (n < MAX_RUNS)
			line_add_text(&l, "%s%u", n ? ", " : "", run);
		n++;
	}
	report_line("%s: %s frame%s the signature of run%s %s%s of devx-pktgen", path,
		    units_format_count(c->n_signed), c->n_signed == 1 ? " has" : "s have",
		    units_get_plural(n), text, n > MAX_RUNS ? " and others" : "");
}

/* Counts the packets of interfaces that are not sent; names the first few interfaces. */
static void report_skipped(const struct job_capture *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->capture.n_interfaces; i++) {
		const struct capture_interface *other = &c->capture.interfaces[i];

		if (other->is_taken || !other->n_packets)
			continue;
		if (n++ < MAX_INTERFACES)
			report_line("%s: %s is not %s; packets that are not sent: %s", c->path,
				    capture_file_describe_interface(other, i),
				    c->interface ? "chosen" : "Ethernet",
				    units_format_count(other->n_packets));
	}
	if (n > MAX_INTERFACES)
		report_line("%s: packets of %u more interface%s are not sent", c->path,
			    n - MAX_INTERFACES, units_get_plural(n - MAX_INTERFACES));
}

static void report_capture(const struct options *o, const struct job_capture *job_capture)
{
	const struct capture *c = &job_capture->capture;
	const char *path = job_capture->path;

	if (c->n_padded)
		report_line("%s: padded %s frame%s with zeros to 64 bytes with FCS, as adapters do",
			    path, units_format_count(c->n_padded), units_get_plural(c->n_padded));
	report_skipped(job_capture);
	if (c->n_longer)
		report_line("%s: packets with more bytes in the file than on the wire: %s (the "
			    "first is packet %s, with %u and %u bytes); all bytes of the file are "
			    "sent",
			    path, units_format_count(c->n_longer),
			    units_format_count(c->longer.number), c->longer.n_bytes,
			    c->longer.n_wire_bytes);
	if (c->n_signed)
		report_signed(c, path);
	if (!rewrite_is_empty(&o->rewrite))
		report_line("%s: rewrote addresses of %s of %s frame%s", path,
			    units_format_count(c->n_rewritten), units_format_count(c->n_frames),
			    units_get_plural(c->n_frames));
	if (c->n_older)
		report_line("%s: %s packet%s older than the one before; with --timing original, "
			    "both are sent together",
			    path, units_format_count(c->n_older),
			    c->n_older == 1 ? " is" : "s are");
	if (c->n_twins)
		report_line("%s: %s frame%s the same bytes as another frame: if one of these is "
			    "lost and another duplicated, the counters show neither",
			    path, units_format_count(c->n_twins),
			    c->n_twins == 1 ? " has" : "s have");
}

static void report_workers(const struct run *r)
{
	char text[WORKER_BYTES];

	for (unsigned i = 0; i < r->cores.n_workers; i++) {
		if (placement_format_worker(r->ports.place, r->ports.n, &r->cores, i, text,
					    sizeof(text)))
			report_line("worker %u: %s", i, text);
	}
}

static void report_gateway(const struct port *p, const struct gateway *g)
{
	char ip[ADDRESS_VLAN_TEXT_BYTES];

	report_line("port %u: gateway %s has MAC address " RTE_ETHER_ADDR_PRT_FMT, p->id,
		    address_format_vlan(&g->ip, ip), g->mac[0], g->mac[1], g->mac[2], g->mac[3],
		    g->mac[4], g->mac[5]);
}

static void report_gateways(const struct run *r)
{
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct port *p = &r->ports.port[i];

		for (unsigned g = 0; g < p->addresses.n_gateways; g++)
			report_gateway(p, &p->addresses.gateways[g]);
	}
}

static void report_length(const struct run *r)
{
	const struct extent e = extent_compute(&r->job, &r->ports);

	if (e.is_endless)
		report_line("sending lasts until Ctrl-C");
	else if (e.seconds > 0)
		report_line("sending takes %s%s", progress_format_time(e.seconds),
			    e.packets ? ", if the ports and the CPU keep up" : "");
	else
		report_line(
			"sending ends with the last packet; the ports decide how long it takes");
}

/* Names the clock of the receive times of a port that receives generated frames. */
static void report_clock(const struct port *port)
{
	if (port->stamps.on)
		report_line("port %u: receive time: clock of the device", port->id);
	else if (port->stamps.why)
		report_line("port %u: receive time: TSC (%s)", port->id, port->stamps.why);
}

/* Reports the memory of the histograms, which grows with the number of flows and queues. */
static void report_memory(const struct run *r)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < r->n_rx; i++)
		bytes += r->rx[i].n_latencies * latency_get_bytes();
	if (bytes)
		report_line("histograms of latency and jitter: up to %.1f MiB; latency is measured "
			    "from the time when a burst is made (TSC)",
			    (double)bytes / (1 << 20));
	for (unsigned i = 0; bytes && i < r->ports.n; i++)
		report_clock(&r->ports.port[i]);
}

/* Reports the first ones of many flows, and the senders of all. */
static void report_first_flows(const struct run *r)
{
	unsigned n_ring = 0;

	for (unsigned i = 0; i < SUMMARY_N_FLOWS; i++)
		report_flow(r, i);
	report_line("and %s more flows (--all-flows prints all)",
		    units_format_count(r->job.n_flows - SUMMARY_N_FLOWS));
	for (unsigned i = 0; i < r->n_streams; i++)
		n_ring += r->streams[i].tx.sender == &sender_ring;
	report_line("streams by sender%s: mbuf %s, ring %s",
		    r->o->sender == SENDER_AUTO ? " (auto)" : "",
		    units_format_count(r->n_streams - n_ring), units_format_count(n_ring));
}

static void report_flows(const struct run *r)
{
	for (unsigned i = 0; i < r->job.n_flows; i++)
		report_flow(r, i);
	for (unsigned i = 0; i < r->n_streams; i++)
		report_sender(r, &r->streams[i]);
}

void report_plan(const struct run *r)
{
	if (summary_is_short(r))
		report_first_flows(r);
	else
		report_flows(r);
	report_workers(r);
	report_gateways(r);
	report_memory(r);
	for (const struct job_capture *c = r->job.captures; c; c = c->next)
		report_capture(r->o, c);
	report_length(r);
}
