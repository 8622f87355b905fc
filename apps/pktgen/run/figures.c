/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/figures.h"

#include <errno.h>
#include <stdlib.h>

#include "base/counter.h"
#include "run/extent.h"

int figures_init(struct figures *f, const struct run *r)
{
	*f = (struct figures){ .n_ports = r->ports.n, .n_flows = r->job.n_flows };
	f->ports = calloc(f->n_ports, sizeof(*f->ports));
	f->flows = calloc(f->n_flows, sizeof(*f->flows));
	if (!f->ports || !f->flows)
		return -ENOMEM;
	for (unsigned i = 0; i < f->n_ports; i++) {
		struct figures_port *p = &f->ports[i];

		p->port = &r->ports.port[i];
		p->n_queues = p->port->n_tx > p->port->n_rx ? p->port->n_tx : p->port->n_rx;
		p->queues = calloc(p->n_queues, sizeof(*p->queues));
		if (!p->queues)
			return -ENOMEM;
	}
	return 0;
}

static void free_flow(struct figures_flow *f)
{
	free(f->changes);
	histogram_free(&f->latency.sum);
	histogram_free(&f->jitter.sum);
	histogram_free(&f->gaps.sum);
	histogram_free(&f->late.sum);
}

void figures_free(struct figures *f)
{
	for (unsigned i = 0; f->ports && i < f->n_ports; i++) {
		histogram_free(&f->ports[i].gaps.sum);
		histogram_free(&f->ports[i].polls.sum);
		free(f->ports[i].queues);
	}
	for (unsigned i = 0; f->flows && i < f->n_flows; i++)
		free_flow(&f->flows[i]);
	histogram_free(&f->latency.sum);
	histogram_free(&f->jitter.sum);
	free(f->ports);
	free(f->flows);
	*f = (struct figures){ 0 };
}

static void add_side(struct figures_side *sum, const struct figures_side *part)
{
	if (!part->packets)
		return;
	if (!sum->packets || part->first_ns < sum->first_ns) {
		sum->first_ns = part->first_ns;
		sum->first_utc_ns = part->first_utc_ns;
	}
	if (part->last_ns > sum->last_ns) {
		sum->last_ns = part->last_ns;
		sum->last_utc_ns = part->last_utc_ns;
	}
	sum->packets += part->packets;
	sum->bytes += part->bytes;
}

static double compute_seconds(const struct run *r, uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / (double)r->clock.hz : 0;
}

/* Sets the times of final figures from TSC. */
static void set_side_times(struct figures_side *side, const struct run *r, uint64_t first,
			   uint64_t last)
{
	if (!side->packets)
		return;
	side->first_ns = run_clock_to_ns(&r->clock, first);
	side->last_ns = run_clock_to_ns(&r->clock, last);
	side->first_utc_ns = utc_clock_find(&r->utc, side->first_ns);
	side->last_utc_ns = utc_clock_find(&r->utc, side->last_ns);
}

static struct figures_port *find_port(const struct figures *f, uint16_t id)
{
	struct figures_port *p = f->ports;

	while (p->port->id != id)
		p++;
	return p;
}

static void clear_figures(struct figures *f)
{
	for (unsigned i = 0; i < f->n_ports; i++) {
		struct figures_port *p = &f->ports[i];

		memset(p->queues, 0, p->n_queues * sizeof(*p->queues));
		p->tx = p->rx = (struct figures_side){ 0 };
		histogram_free(&p->gaps.sum);
		histogram_free(&p->polls.sum);
		p->gaps = p->polls = (struct figures_times){ 0 };
		p->unstamped = p->negative = 0;
	}
	for (unsigned i = 0; i < f->n_flows; i++) {
		free_flow(&f->flows[i]);
		f->flows[i] = (struct figures_flow){ 0 };
	}
	histogram_free(&f->latency.sum);
	histogram_free(&f->jitter.sum);
	f->latency = f->jitter = (struct figures_times){ 0 };
	f->tx = f->rx = (struct figures_side){ 0 };
	f->account = (struct account){ 0 };
}

/* ---- one stream ----------------------------------------------------------------- */

/*
 * Adds the times of a stream to those of its flow, unless there was no memory to record them.
 * Consecutive streams of a receive queue may share their times, which are added only once.
 */
static void add_times(struct figures_times *t, const struct histogram *times)
{
	if (histogram_is_empty(times) || times == t->last)
		return;
	t->last = times;
	if (!t->times) {
		t->times = times;
		return;
	}
	if (t->times != &t->sum) {
		if (histogram_init(&t->sum, times->digits, times->limit_ns))
			return;
		histogram_add(&t->sum, t->times);
		t->times = &t->sum;
	}
	histogram_add(&t->sum, times);
}

/* Finds or adds a change of a flow. Returns NULL if there is no memory for it. */
static struct figures_change *find_change(struct figures_flow *f, const struct change *change)
{
	struct figures_change *grown;

	for (unsigned i = 0; i < f->n_changes; i++) {
		if (change_is_same(&f->changes[i].change, change))
			return &f->changes[i];
	}
	grown = realloc(f->changes, (f->n_changes + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	f->changes = grown;
	f->changes[f->n_changes] = (struct figures_change){ .change = *change };
	return &f->changes[f->n_changes++];
}

static void add_changes(struct figures_flow *f, const struct changes *c,
			const struct changes_of *of)
{
	const struct changes_row *row;

	f->n_changes_left_out += of->n_left_out;
	for (row = changes_get(c, of->first); row; row = changes_get(c, row->next)) {
		struct figures_change *sum = find_change(f, &row->change);

		if (sum)
			sum->packets += row->packets;
		else
			f->n_changes_left_out += row->packets;
	}
}

static void add_received(struct figures *f, const struct run *r, const struct rx *rx,
			 const struct stream *s)
{
	const struct rx_stream *got = rx_find_stream(rx, &s->tx);
	struct figures_flow *flow = &f->flows[s->flow];
	struct figures_side side;

	if (!got)
		return;
	side = (struct figures_side){ counter_load(&got->arrived), counter_load(&got->bytes) };
	if (f->is_final)
		set_side_times(&side, r, got->first, got->last);
	find_port(f, rx->port)->queues[rx->queue].of_streams += side.packets;
	add_side(&flow->rx, &side);
	if (f->is_final) {
		add_times(&flow->latency, &got->latency.to->time);
		add_times(&flow->jitter, &got->latency.to->jitter);
		add_changes(flow, &rx->changes, &got->changes);
	}
}

static void add_stream(struct figures *f, const struct run *r, const struct stream *s)
{
	struct figures_port *port = find_port(f, s->tx.port);
	struct figures_flow *flow = &f->flows[s->flow];
	struct figures_side side = { counter_load(&s->tx.sent), counter_load(&s->tx.bytes) };

	if (f->is_final) {
		const struct account a = account_make(&s->tx, r->rx, r->n_rx, r->o->send_only);
		const double seconds = compute_seconds(r, s->tx.begin, s->tx.end);

		account_add(&flow->account, &a);
		account_add(&f->account, &a);
		add_times(&flow->gaps, &s->tx.gaps);
		add_times(&flow->late, &s->tx.late);
		flow->make_cycles += s->tx.make_cycles;
		flow->send_cycles += s->tx.send_cycles;
		flow->seconds = seconds > flow->seconds ? seconds : flow->seconds;
		set_side_times(&side, r, s->tx.first, s->tx.last);
	}
	add_side(&flow->tx, &side);
	add_side(&port->queues[s->tx.queue].tx, &side);
}

/* ---- one receive queue ---------------------------------------------------------- */

static void add_rx(struct figures *f, const struct run *r, const struct rx *rx)
{
	struct figures_queue *q = &find_port(f, rx->port)->queues[rx->queue];

	q->rx = (struct figures_side){ counter_load(&rx->packets), counter_load(&rx->bytes) };
	if (f->is_final)
		set_side_times(&q->rx, r, rx->first, rx->last);
	q->expected = counter_load(&rx->arrived);
	q->unknown = counter_load(&rx->unknown);
	q->requests = counter_load(&rx->requests);
	q->misdirected = counter_load(&rx->misdirected);
	q->other_run = counter_load(&rx->other_run);
	q->unsent = counter_load(&rx->unsent);
	q->fragments = counter_load(&rx->fragments);
	q->verify_cycles = f->is_final ? rx->verify_cycles : 0;
	if (f->is_final && rx->n_streams)
		add_times(&find_port(f, rx->port)->polls, &rx->polls);
	for (unsigned i = 0; f->is_final && i < rx->n_latencies; i++) {
		add_times(&f->latency, &rx->latencies[i].time);
		add_times(&f->jitter, &rx->latencies[i].jitter);
	}
	find_port(f, rx->port)->unstamped += f->is_final ? rx->unstamped : 0;
	find_port(f, rx->port)->negative += f->is_final ? rx->negative : 0;
}

static void add_port(struct figures_port *p, const struct run *r, bool is_final)
{
	for (unsigned i = 0; i < p->n_queues; i++) {
		const struct figures_queue *q = &p->queues[i];

		add_side(&p->tx, &q->tx);
		add_side(&p->rx, &q->rx);
	}
	p->responder = NULL;
	for (unsigned i = 0; i < r->n_responders; i++) {
		if (r->responders[i].port == p->port->id)
			p->responder = &r->responders[i];
	}
	p->answers = p->responder ? p->responder->sent : 0;
	if (is_final) {
		const struct link_account down = events_sum_links(&p->port->events, r->end);

		p->n_down = down.n_down;
		p->down_s = (double)down.cycles / (double)r->clock.hz;
	}
	p->stamp_error_ns = run_clock_ticks_to_ns(&r->clock, p->port->stamps.clock.error);
	p->stats = ports_read_stats(p->port);
	/* The counter of a port that was removed may be lower than at the start. */
	p->pauses = is_final && p->port->last_pauses > p->port->base_pauses
			    ? p->port->last_pauses - p->port->base_pauses
			    : 0;
}

static double compute_offered(const struct figures *f, const struct run *r,
			      const struct figures_flow *flow)
{
	const struct job_flow *j = flow->flow;
	const struct port *from = &r->ports.port[j->tx];
	const double seconds = ((double)f->ns - (double)j->delay_ns) / 1e9;

	if (j->burst_packets)
		return 0;
	return f->is_final ? extent_compute_mean_rate(j, from, flow->seconds)
			   : extent_compute_rate_at(j, from, seconds);
}

void figures_read(struct figures *f, const struct run *r, bool is_final)
{
	clear_figures(f);
	f->is_final = is_final;
	f->step_ns = is_final ? utc_clock_find_step(&r->utc) : 0;
	f->ns = run_clock_to_ns(&r->clock, clock_read());
	/* Reads the receivers first, so that the sent packets include all received packets. */
	for (unsigned i = 0; i < r->n_rx; i++) {
		add_rx(f, r, &r->rx[i]);
		for (unsigned n = 0; n < r->n_streams; n++)
			add_received(f, r, &r->rx[i], &r->streams[n]);
	}
	for (unsigned i = 0; i < f->n_flows; i++)
		f->flows[i].flow = &r->job.flows[i];
	for (unsigned i = 0; i < r->n_streams; i++)
		add_stream(f, r, &r->streams[i]);
	for (unsigned i = 0; i < f->n_flows; i++) {
		struct figures_flow *flow = &f->flows[i];

		flow->offered_rate = compute_offered(f, r, flow);
		add_side(&f->tx, &flow->tx);
		add_side(&f->rx, &flow->rx);
	}
	for (unsigned i = 0; i < r->n_queues && is_final; i++)
		add_times(&find_port(f, r->queues[i].port)->gaps, &r->queues[i].gaps.times);
	for (unsigned i = 0; i < f->n_ports; i++)
		add_port(&f->ports[i], r, is_final);
}
