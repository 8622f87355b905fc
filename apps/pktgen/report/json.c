/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "cli/messages.h"
#include "report/changed.h"
#include "report/rate.h"

/* Makes a string. A path may not be UTF-8: then replaces every byte that is not ASCII by '?'. */
static json_t *make_text(const char *text)
{
	json_t *j = json_string(text);
	char *copy;

	if (j)
		return j;
	copy = strdup(text);
	for (char *c = copy; c && *c; c++)
		*c = (unsigned char)*c < 0x80 ? *c : '?';
	j = copy ? json_string(copy) : NULL;
	free(copy);
	return j;
}

static void set_number(json_t *to, const char *name, uint64_t n)
{
	json_object_set_new(to, name, json_integer((json_int_t)n));
}

static void set_real(json_t *to, const char *name, double value)
{
	json_object_set_new(to, name, json_real(value));
}

static void set_text(json_t *to, const char *name, const char *text)
{
	json_object_set_new(to, name, make_text(text));
}

/* Writes a record as one line, and frees it. */
static enum pktgen_exit write_record(struct record_file *file, json_t *record)
{
	char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(12));
	enum pktgen_exit e;
	size_t n;

	json_decref(record);
	if (!text)
		return report_error(PKTGEN_REPORT, "--json %s: no memory", file->path);
	n = strlen(text);
	text[n] = '\n'; /* overwrites the terminator */
	e = record_file_write(file, text, n + 1);
	free(text);
	return e;
}

static json_t *make_record(const char *kind, uint64_t ns)
{
	json_t *j = json_object();

	set_text(j, "record", kind);
	set_real(j, "time_s", (double)ns / 1e9);
	return j;
}

/* ---- start ---------------------------------------------------------------------- */

static json_t *describe_port(const struct port *p)
{
	char mac[RTE_ETHER_ADDR_FMT_SIZE];
	json_t *j = json_object();

	rte_ether_format_addr(mac, sizeof(mac), &p->mac);
	set_number(j, "port", p->id);
	set_text(j, "name", p->device);
	set_text(j, "driver", p->driver);
	set_text(j, "mac", mac);
	set_number(j, "mtu", p->mtu);
	set_number(j, "link_mbps", p->link_mbps);
	set_number(j, "tx_queues", p->n_tx);
	set_number(j, "rx_queues", p->n_rx);
	return j;
}

static json_t *describe_rate(const struct rate *r)
{
	static const char *const units[] = {
		[RATE_MAX] = "max",      [RATE_PACKETS] = "pps",        [RATE_BITS] = "bps",
		[RATE_LINE] = "percent", [RATE_LINE_BITS] = "line_bps",
	};
	json_t *j = json_object();

	set_text(j, "unit", units[r->unit]);
	if (r->unit != RATE_MAX)
		set_real(j, "value", (double)r->micro / RATE_MICRO);
	return j;
}

static json_t *describe_flow(const struct run *r, const struct job_flow *f)
{
	json_t *j = json_object();

	set_text(j, "name", f->name);
	set_text(j, "port_tx", r->ports.port[f->tx].device);
	set_text(j, "port_rx", r->ports.port[f->rx].device);
	json_object_set_new(j, "rate", describe_rate(&f->rate));
	set_real(j, "frame_bytes_mean", job_compute_mean(f));
	if (f->pcap)
		set_text(j, "pcap", f->pcap);
	if (f->interface)
		set_text(j, "interface", f->interface);
	if (f->count)
		set_number(j, "count", f->count);
	if (f->duration_ns)
		set_real(j, "duration_s", (double)f->duration_ns / 1e9);
	if (!f->capture)
		set_text(j, "expect", expect_names[f->expect]);
	return j;
}

static void set_wall_time(json_t *to, const char *name)
{
	const time_t now = time(NULL);
	char text[sizeof("2000-01-01T00:00:00Z") + 8];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	set_text(to, name, text);
}

enum pktgen_exit json_write_start(struct record_file *file, const struct run *r)
{
	json_t *j, *command, *ports, *flows;

	if (!file->path)
		return PKTGEN_MET;
	j = make_record("start", 0);
	set_number(j, "schema", JSON_SCHEMA_VERSION);
	set_text(j, "program", "devx-pktgen");
	set_text(j, "version", PKTGEN_VERSION);
	set_wall_time(j, "date");
	json_object_set_new(j, "command", command = json_array());
	for (int i = 0; i < r->o->argc; i++)
		json_array_append_new(command, make_text(r->o->argv[i]));
	set_number(j, "run", r->number);
	set_text(j, "clock", "TSC");
	set_number(j, "clock_hz", clock_get_hz());
	set_real(j, "interval_s", (double)r->o->interval_ns / 1e9);
	json_object_set_new(j, "verifies", json_boolean(!r->o->send_only));
	json_object_set_new(j, "ports", ports = json_array());
	for (unsigned i = 0; i < r->ports.n; i++)
		json_array_append_new(ports, describe_port(&r->ports.port[i]));
	json_object_set_new(j, "flows", flows = json_array());
	for (unsigned i = 0; i < r->job.n_flows; i++)
		json_array_append_new(flows, describe_flow(r, &r->job.flows[i]));
	return write_record(file, j);
}

/* ---- counters ------------------------------------------------------------------- */

/* Adds counters since the start, and known rates: those since the last record, or of the run. */
static void set_sides(json_t *to, const struct figures_side *tx, const struct figures_side *rx,
		      const struct figures_side *last_tx, const struct figures_side *last_rx,
		      double seconds)
{
	const struct measured_rate sent = rate_measure(tx, last_tx, seconds);
	const struct measured_rate received = rate_measure(rx, last_rx, seconds);

	set_number(to, "frames_tx", tx->packets);
	set_number(to, "bytes_tx", tx->bytes);
	set_number(to, "frames_rx", rx->packets);
	set_number(to, "bytes_rx", rx->bytes);
	if (sent.is_known) {
		set_real(to, "frames_tx_rate", sent.packets);
		set_real(to, "bytes_tx_rate", sent.bytes);
	}
	if (received.is_known) {
		set_real(to, "frames_rx_rate", received.packets);
		set_real(to, "bytes_rx_rate", received.bytes);
	}
}

static json_t *make_queue(const struct figures_queue *q, const struct figures_queue *last,
			  unsigned number, double seconds)
{
	json_t *j = json_object();

	set_number(j, "queue", number);
	set_sides(j, &q->tx, &q->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	set_number(j, "unknown", q->unknown);
	set_number(j, "requests", q->requests);
	set_number(j, "misdirected", q->misdirected);
	set_number(j, "other_run", q->other_run);
	set_number(j, "unsent", q->unsent);
	set_number(j, "fragments", q->fragments);
	if (!last)
		set_number(j, "verify_cycles", q->verify_cycles);
	return j;
}

/* The names are those of ethdev's extended statistics. */
static json_t *make_counters(const struct rte_eth_stats *s)
{
	json_t *j = json_object();

	set_number(j, "rx_good_packets", s->ipackets);
	set_number(j, "tx_good_packets", s->opackets);
	set_number(j, "rx_missed_errors", s->imissed);
	set_number(j, "rx_errors", s->ierrors);
	set_number(j, "rx_mbuf_allocation_errors", s->rx_nombuf);
	set_number(j, "tx_errors", s->oerrors);
	return j;
}

/* Describes the clock of the receive times, and by how much they may be wrong. */
static json_t *make_receive_clock(const struct receive_clock *clock)
{
	json_t *j = json_object();

	set_text(j, "source", clock->is_device ? "device" : "tsc");
	set_number(j, "uncertainty_ns", clock->error_ns);
	if (clock->is_device)
		set_number(j, "unstamped", clock->unstamped);
	set_number(j, "negative", clock->negative);
	return j;
}

static json_t *make_answers(const struct responder *d)
{
	json_t *j = json_object();

	set_number(j, "arp", d->arp);
	set_number(j, "neighbour_discovery", d->nd);
	set_number(j, "ping", d->pings);
	set_number(j, "sent", d->sent);
	set_number(j, "dropped", d->dropped);
	return j;
}

static json_t *make_histogram(const struct histogram *h)
{
	json_t *j = json_object();

	set_number(j, "frames", histogram_count(h));
	set_number(j, "minimum_ns", h->min_ns);
	set_real(j, "average_ns", histogram_compute_mean(h));
	set_number(j, "maximum_ns", h->max_ns);
	for (unsigned i = 0; i < LATENCY_N_PERCENTILES; i++) {
		const uint64_t ns = histogram_find_percentile(h, latency_percentiles[i]);
		char name[32], *dot;

		snprintf(name, sizeof(name), "%s_ns", latency_names[i]);
		set_number(j, name, ns);
		dot = strchr(name, '.');
		if (!dot)
			continue;
		*dot = '_';
		set_number(j, name, ns);
	}
	return j;
}

static void add_times(json_t *to, const char *name, const struct figures_times *t)
{
	if (t->times)
		json_object_set_new(to, name, make_histogram(t->times));
}

static json_t *make_port(const struct figures_port *p, const struct figures_port *last,
			 double seconds)
{
	json_t *j = json_object(), *queues = json_array();
	struct receive_clock clock;

	set_number(j, "port", p->port->id);
	set_text(j, "name", p->port->device);
	set_sides(j, &p->tx, &p->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	json_object_set_new(j, "counters", make_counters(&p->stats));
	if (figures_get_clock(p, &clock))
		json_object_set_new(j, "receive_clock", make_receive_clock(&clock));
	add_times(j, "gap", &p->gaps);
	if (!last && p->port->counts_pauses)
		set_number(j, "pause_frames_rx", p->pauses);
	if (!last && p->responder)
		json_object_set_new(j, "answers", make_answers(p->responder));
	if (!last) {
		set_number(j, "link_downs", p->n_down);
		set_real(j, "link_down_s", p->down_s);
	}
	json_object_set_new(j, "queues", queues);
	for (unsigned i = 0; i < p->n_queues; i++)
		json_array_append_new(
			queues,
			make_queue(&p->queues[i], last ? &last->queues[i] : NULL, i, seconds));
	return j;
}

/* Adds the times of day of the first and the last packet, by the names of the OTG model. */
static void set_timestamps(json_t *to, const char *name, const struct figures_side *s)
{
	json_t *j;

	if (!s->packets)
		return;
	j = json_object();
	set_number(j, "first_timestamp_ns", s->first_utc_ns);
	set_number(j, "last_timestamp_ns", s->last_utc_ns);
	json_object_set_new(to, name, j);
}

static void set_account(json_t *to, const struct account *a)
{
	set_number(to, "lost", a->lost);
	set_number(to, "duplicated", a->duplicated);
	set_number(to, "reordered", a->reordered);
	set_number(to, "corrupted", a->corrupted);
	set_number(to, "unreadable", a->unreadable);
	set_number(to, "truncated", a->truncated);
	set_number(to, "changed", a->changed);
	set_number(to, "untimed", a->untimed);
}

static json_t *make_flow(const struct figures_flow *f, const struct figures_flow *last,
			 double seconds)
{
	json_t *j = json_object();

	set_text(j, "name", f->flow->name);
	set_sides(j, &f->tx, &f->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	if (f->offered_rate > 0)
		set_real(j, "frames_tx_rate_offered", f->offered_rate);
	if (!last) {
		set_account(j, &f->account);
		changed_add_json(j, f);
		set_timestamps(j, "timestamps_tx", &f->tx);
		set_timestamps(j, "timestamps_rx", &f->rx);
		set_number(j, "make_cycles", f->make_cycles);
		set_number(j, "send_cycles", f->send_cycles);
	}
	add_times(j, "gap", &f->gaps);
	add_times(j, "late", &f->late);
	add_times(j, "latency", &f->latency);
	add_times(j, "jitter", &f->jitter);
	return j;
}

/* Adds ports and flows. @last is NULL if @f is final. */
static void set_figures(json_t *to, const struct figures *f, const struct figures *last)
{
	const double seconds = last ? (double)(f->ns - last->ns) / 1e9 : 0;
	json_t *ports = json_array(), *flows = json_array();

	json_object_set_new(to, "ports", ports);
	for (unsigned i = 0; i < f->n_ports; i++)
		json_array_append_new(
			ports, make_port(&f->ports[i], last ? &last->ports[i] : NULL, seconds));
	json_object_set_new(to, "flows", flows);
	for (unsigned i = 0; i < f->n_flows; i++)
		json_array_append_new(
			flows, make_flow(&f->flows[i], last ? &last->flows[i] : NULL, seconds));
}

enum pktgen_exit json_write_interval(struct record_file *file, const struct figures *f,
				     const struct figures *last, const char *stage)
{
	json_t *j;

	if (!file->path)
		return PKTGEN_MET;
	j = make_record("interval", f->ns);
	set_text(j, "stage", stage);
	set_real(j, "interval_s", (double)(f->ns - last->ns) / 1e9);
	set_figures(j, f, last);
	return write_record(file, j);
}

enum pktgen_exit json_write_final(struct record_file *file, const struct run *r,
				  const struct figures *f, const struct verdict *v)
{
	json_t *j, *total, *verdict;

	if (!file->path)
		return PKTGEN_MET;
	j = make_record("final", f->ns);
	json_object_set_new(j, "verdict", verdict = json_object());
	json_object_set_new(verdict, "passed", json_boolean(v->passed));
	json_object_set_new(verdict, "interrupted", json_boolean(r->interrupted));
	set_text(verdict, "reason", v->reason);
	if (v->rate_percent < VERDICT_MET_PERCENT) {
		set_real(verdict, "rate_percent", v->rate_percent);
		set_text(verdict, "rate_reason", rate_reason_get_code(v->rate_reason));
	}
	if (v->loss_reason != LOSS_NONE)
		set_text(verdict, "loss_reason", loss_get_code(v->loss_reason));
	json_object_set_new(j, "total", total = json_object());
	set_sides(total, &f->tx, &f->rx, NULL, NULL, 0);
	set_account(total, &f->account);
	set_timestamps(total, "timestamps_tx", &f->tx);
	set_timestamps(total, "timestamps_rx", &f->rx);
	if (f->step_ns)
		set_real(j, "clock_step_s", (double)f->step_ns / 1e9);
	set_number(j, "workers", r->n_workers);
	set_number(j, "samples", r->n_samples);
	set_number(j, "samples_blocked", r->n_blocked);
	set_real(j, "cpu_s", (double)r->cpu_ns / 1e9);
	set_real(j, "busy_s", (double)r->busy_ms / 1e3);
	set_figures(j, f, NULL);
	return write_record(file, j);
}
