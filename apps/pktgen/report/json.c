/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json.h"

#include "report/changed.h"
#include "report/json_values.h"
#include "report/rate.h"

/* Adds counters since the start, and known rates: those since the last record, or of the run. */
static void set_sides(json_t *to, const struct figures_side *tx, const struct figures_side *rx,
		      const struct figures_side *last_tx, const struct figures_side *last_rx,
		      double seconds)
{
	const struct measured_rate sent = rate_measure(tx, last_tx, seconds);
	const struct measured_rate received = rate_measure(rx, last_rx, seconds);

	json_set_number(to, "frames_tx", tx->packets);
	json_set_number(to, "bytes_tx", tx->bytes);
	json_set_number(to, "frames_rx", rx->packets);
	json_set_number(to, "bytes_rx", rx->bytes);
	if (sent.is_known) {
		json_set_real(to, "frames_tx_rate", sent.packets);
		json_set_real(to, "bytes_tx_rate", sent.bytes);
	}
	if (received.is_known) {
		json_set_real(to, "frames_rx_rate", received.packets);
		json_set_real(to, "bytes_rx_rate", received.bytes);
	}
}

static json_t *make_queue(const struct figures_queue *q, const struct figures_queue *last,
			  unsigned number, double seconds)
{
	json_t *j = json_object();

	json_set_number(j, "queue", number);
	set_sides(j, &q->tx, &q->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	json_set_number(j, "unknown", q->unknown);
	json_set_number(j, "requests", q->requests);
	json_set_number(j, "misdirected", q->misdirected);
	json_set_number(j, "other_run", q->other_run);
	json_set_number(j, "unsent", q->unsent);
	json_set_number(j, "fragments", q->fragments);
	if (!last)
		json_set_number(j, "verify_cycles", q->verify_cycles);
	return j;
}

/* The names are those of ethdev's extended statistics. */
static json_t *make_counters(const struct rte_eth_stats *s)
{
	json_t *j = json_object();

	json_set_number(j, "rx_good_packets", s->ipackets);
	json_set_number(j, "tx_good_packets", s->opackets);
	json_set_number(j, "rx_missed_errors", s->imissed);
	json_set_number(j, "rx_errors", s->ierrors);
	json_set_number(j, "rx_mbuf_allocation_errors", s->rx_nombuf);
	json_set_number(j, "tx_errors", s->oerrors);
	return j;
}

/* Describes the clock of the receive times, and by how much they may be wrong. */
static json_t *make_receive_clock(const struct receive_clock *clock)
{
	json_t *j = json_object();

	json_set_text(j, "source", clock->is_device ? "device" : "tsc");
	json_set_number(j, "uncertainty_ns", clock->error_ns);
	if (clock->is_device)
		json_set_number(j, "unstamped", clock->unstamped);
	json_set_number(j, "negative", clock->negative);
	return j;
}

static json_t *make_answers(const struct responder *d)
{
	json_t *j = json_object();

	json_set_number(j, "arp", d->arp);
	json_set_number(j, "neighbour_discovery", d->nd);
	json_set_number(j, "ping", d->pings);
	json_set_number(j, "sent", d->sent);
	json_set_number(j, "dropped", d->dropped);
	return j;
}

static json_t *make_histogram(const struct histogram *h)
{
	json_t *j = json_object();

	json_set_number(j, "frames", histogram_count(h));
	json_set_number(j, "minimum_ns", h->min_ns);
	json_set_real(j, "average_ns", histogram_compute_mean(h));
	json_set_number(j, "maximum_ns", h->max_ns);
	for (unsigned i = 0; i < LATENCY_N_PERCENTILES; i++) {
		const uint64_t ns = histogram_find_percentile(h, latency_percentiles[i]);
		char name[32], *dot;

		snprintf(name, sizeof(name), "%s_ns", latency_names[i]);
		json_set_number(j, name, ns);
		dot = strchr(name, '.');
		if (!dot)
			continue;
		*dot = '_';
		json_set_number(j, name, ns);
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

	json_set_number(j, "port", p->port->id);
	json_set_text(j, "name", p->port->device);
	set_sides(j, &p->tx, &p->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	json_object_set_new(j, "counters", make_counters(&p->stats));
	if (figures_get_clock(p, &clock))
		json_object_set_new(j, "receive_clock", make_receive_clock(&clock));
	add_times(j, "gap", &p->gaps);
	if (!last && p->port->counts_pauses)
		json_set_number(j, "pause_frames_rx", p->pauses);
	if (!last && p->responder)
		json_object_set_new(j, "answers", make_answers(p->responder));
	if (!last) {
		json_set_number(j, "link_downs", p->n_down);
		json_set_real(j, "link_down_s", p->down_s);
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
	json_set_number(j, "first_timestamp_ns", s->first_utc_ns);
	json_set_number(j, "last_timestamp_ns", s->last_utc_ns);
	json_object_set_new(to, name, j);
}

static void set_account(json_t *to, const struct account *a)
{
	json_set_number(to, "lost", a->lost);
	json_set_number(to, "duplicated", a->duplicated);
	json_set_number(to, "reordered", a->reordered);
	json_set_number(to, "corrupted", a->corrupted);
	json_set_number(to, "unreadable", a->unreadable);
	json_set_number(to, "truncated", a->truncated);
	json_set_number(to, "changed", a->changed);
	json_set_number(to, "untimed", a->untimed);
}

static json_t *make_flow(const struct figures_flow *f, const struct figures_flow *last,
			 double seconds)
{
	json_t *j = json_object();

	json_set_text(j, "name", f->flow->name);
	set_sides(j, &f->tx, &f->rx, last ? &last->tx : NULL, last ? &last->rx : NULL, seconds);
	if (f->offered_rate > 0)
		json_set_real(j, "frames_tx_rate_offered", f->offered_rate);
	if (!last) {
		set_account(j, &f->account);
		changed_add_json(j, f);
		set_timestamps(j, "timestamps_tx", &f->tx);
		set_timestamps(j, "timestamps_rx", &f->rx);
		json_set_number(j, "make_cycles", f->make_cycles);
		json_set_number(j, "send_cycles", f->send_cycles);
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
	const double seconds = (double)(f->ns - last->ns) / 1e9;
	json_t *j, *total;

	if (!file->path)
		return PKTGEN_MET;
	j = json_begin_record("interval", f->ns);
	json_set_text(j, "stage", stage);
	json_set_real(j, "interval_s", seconds);
	json_object_set_new(j, "total", total = json_object());
	set_sides(total, &f->tx, &f->rx, &last->tx, &last->rx, seconds);
	set_figures(j, f, last);
	return json_write_record(file, j);
}

enum pktgen_exit json_write_final(struct record_file *file, const struct run *r,
				  const struct figures *f, const struct verdict *v)
{
	json_t *j, *total, *verdict;

	if (!file->path)
		return PKTGEN_MET;
	j = json_begin_record("final", f->ns);
	json_object_set_new(j, "verdict", verdict = json_object());
	json_object_set_new(verdict, "passed", json_boolean(v->passed));
	json_object_set_new(verdict, "interrupted", json_boolean(r->interrupted));
	json_set_text(verdict, "reason", v->reason);
	if (v->rate_percent < VERDICT_MET_PERCENT) {
		json_set_real(verdict, "rate_percent", v->rate_percent);
		json_set_text(verdict, "rate_reason", rate_reason_get_code(v->rate_reason));
	}
	if (v->loss_reason != LOSS_NONE)
		json_set_text(verdict, "loss_reason", loss_get_code(v->loss_reason));
	json_object_set_new(j, "total", total = json_object());
	set_sides(total, &f->tx, &f->rx, NULL, NULL, 0);
	set_account(total, &f->account);
	set_timestamps(total, "timestamps_tx", &f->tx);
	set_timestamps(total, "timestamps_rx", &f->rx);
	add_times(total, "latency", &f->latency);
	add_times(total, "jitter", &f->jitter);
	if (f->step_ns)
		json_set_real(j, "clock_step_s", (double)f->step_ns / 1e9);
	json_set_number(j, "workers", r->n_workers);
	json_set_number(j, "samples", r->n_samples);
	json_set_number(j, "samples_blocked", r->n_blocked);
	json_set_real(j, "cpu_s", (double)r->cpu_ns / 1e9);
	json_set_real(j, "busy_s", (double)r->busy_ms / 1e3);
	set_figures(j, f, NULL);
	return json_write_record(file, j);
}
