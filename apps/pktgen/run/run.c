/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/run.h"

#include <sched.h>
#include <unistd.h>

#include <rte_launch.h>
#include <rte_lcore.h>

#include "base/messages.h"
#include "port/eal.h"

enum {
	TICK_MS = 10,
	PROGRESS_MS = 1000,
	STALL_MS = 5000,
	AFTER_LAST_MS = 100, /* also when all is there: a further copy may come */
	IDLE_POLLS = 1024,
	MAX_JOBS = 2 * PKTGEN_MAX_FLOWS,
};

/* What workers do: poll senders and receivers. */
struct worker {
	struct tx *tx[PKTGEN_MAX_FLOWS];
	struct rx *rx[PKTGEN_MAX_FLOWS];
	unsigned n_tx, n_rx;
	struct gate *gate;
};

/* Workers report, wait until the clock runs, and leave when they are told to. */
struct gate {
	atomic_uint n_ready;
	atomic_bool go, stop;
};

static uint64_t load_counter(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static int run_worker(void *arg)
{
	struct worker *w = arg;
	unsigned idle = 0;

	atomic_fetch_add(&w->gate->n_ready, 1);
	while (!atomic_load_explicit(&w->gate->go, memory_order_acquire))
		sched_yield();
	while (!atomic_load_explicit(&w->gate->stop, memory_order_relaxed)) {
		unsigned n = 0;

		for (unsigned i = 0; i < w->n_rx; i++)
			n += rx_poll(w->rx[i]);
		for (unsigned i = 0; i < w->n_tx; i++)
			n += tx_poll(w->tx[i]);
		idle = n ? 0 : idle + 1;
		if (idle >= IDLE_POLLS) {
			sched_yield(); /* with fewer CPUs than threads, others must get on */
			idle = 0;
		}
	}
	return 0;
}

static uint64_t compute_flow_count(const struct run *r)
{
	const uint64_t most = 1ull << PKTGEN_MAX_SEQ_LOG2;
	const struct options *o = r->o;
	uint64_t count;

	if (o->count)
		return o->count;
	if (!r->capture.n_frames || (o->duration_ns && !o->loops))
		return most;
	count = o->loops ? o->loops : o->demo ? 1 + 1000000 / r->capture.n_frames : 1;
	return count > most / r->capture.n_frames ? most : count * r->capture.n_frames;
}

/* Warns if the link that flow @i is sent on cannot carry the requested rate. */
static void warn_rate_above_link(const struct run *r, unsigned i)
{
	const struct options *o = r->o;
	const struct port *from = &r->ports.port[i];
	const double rate = (double)o->rate.milli / 1000, link = from->link_mbps * 1e6;
	const double bytes =
		o->pcap ? (double)r->capture.total_bytes / r->capture.n_frames + PKTGEN_FCS_BYTES
			: o->size;
	const double line_bytes = bytes + BUCKET_LINE_EXTRA_BYTES;
	double needed = 0;

	if (o->rate.unit == RATE_PACKETS)
		needed = rate * line_bytes * 8;
	else if (o->rate.unit == RATE_BITS)
		needed = rate * line_bytes / bytes;
	if (link > 0 && needed > link)
		report_warning("--rate: flow %u needs a link of %sb/s, preamble and gap included, "
			       "and port %s has %sb/s; the link cannot carry the rate",
			       i, units_format_si(needed), from->device, units_format_si(link));
}

static enum pktgen_exit prepare_flow(struct run *r, unsigned i)
{
	const struct port *from = &r->ports.port[i], *to = &r->ports.port[r->ports.n - 1 - i];
	const struct options *o = r->o;
	struct endpoint src = i ? o->dst : o->src, dst = i ? o->src : o->dst;

	if (!src.mac_given)
		memcpy(src.mac, from->mac.addr_bytes, sizeof(src.mac));
	if (!dst.mac_given)
		memcpy(dst.mac, to->mac.addr_bytes, sizeof(dst.mac));
	flow_init(&r->flows[i], (uint16_t)i, &src, &dst, o->size);

	r->tx[i] = (struct tx){
		.port = from->id,
		.flow = &r->flows[i],
		.capture = o->pcap ? &r->capture : NULL,
		.clock = &r->clock,
		.count = compute_flow_count(r),
		.until = UINT64_MAX,
	};
	r->rx[i] = (struct rx){
		.port = to->id,
		.tx = &r->tx[i],
		.clock = &r->clock,
	};
	if (o->rate.unit == RATE_LINE && !from->link_mbps)
		return report_error(
			PKTGEN_USAGE,
			"--rate in %%: port %s does not know its speed: give pps or bps",
			from->device);
	warn_rate_above_link(r, i);
	r->pools[i] = ports_create_tx_pool(
		from, i, o->pcap ? r->capture.max_bytes : r->flows[i].bytes, o->tx_ring);
	if (!r->pools[i] || track_init(&r->rx[i].track) ||
	    (o->pcap && match_init(&r->rx[i].match, &r->capture)))
		return report_error(PKTGEN_ENVIRONMENT,
				    "no memory for flow %u: give EAL more (-- -m 1024)", i);
	r->tx[i].pool = r->pools[i];
	if (!o->pcap)
		tx_fill_pool(r->pools[i], &r->flows[i]);
	return PKTGEN_MET;
}

enum pktgen_exit run_prepare(struct run *r)
{
	enum pktgen_exit e = PKTGEN_MET;

	if (r->o->both && r->ports.n < 2)
		return report_error(PKTGEN_USAGE, "--both: 1 port (valid: 2); give --port twice");
	r->n_flows = r->o->both ? 2 : 1;
	for (unsigned i = 0; i < r->n_flows && !e; i++)
		e = prepare_flow(r, i);
	return e;
}

/* The clock starts here: rates and durations count from now. */
static void start_clock(struct run *r)
{
	const struct options *o = r->o;

	r->clock = run_clock_start();
	for (unsigned i = 0; i < r->n_flows; i++) {
		struct tx *tx = &r->tx[i];
		const uint32_t bytes = o->pcap ? r->capture.max_bytes : r->flows[i].bytes;

		tx->begin = r->clock.start;
		if (o->duration_ns)
			tx->until = run_clock_to_tsc(&r->clock, o->duration_ns);
		bucket_init(&tx->bucket, &o->rate, r->ports.port[i].link_mbps,
			    bytes + PKTGEN_FCS_BYTES, r->clock.hz, r->clock.start);
	}
}

/* Receivers first: with two workers, one of them only receives. Return: workers with work */
static unsigned assign_jobs(struct run *r, struct worker *w, struct gate *gate)
{
	const unsigned n_workers = eal_count_workers();
	const unsigned n_jobs = r->n_flows * (r->o->send_only ? 1 : 2);
	unsigned job = 0;

	for (unsigned i = 0; i < MAX_JOBS; i++)
		w[i].gate = gate;
	for (unsigned i = 0; i < r->n_flows && !r->o->send_only; i++, job++) {
		struct worker *at = &w[job % n_workers];

		at->rx[at->n_rx++] = &r->rx[i];
	}
	for (unsigned i = 0; i < r->n_flows; i++, job++) {
		struct worker *at = &w[job % n_workers];

		at->tx[at->n_tx++] = &r->tx[i];
	}
	return n_jobs < n_workers ? n_jobs : n_workers;
}

static uint64_t get_elapsed_ms(const struct run *r)
{
	return run_clock_to_ns(&r->clock, rte_rdtsc()) / 1000000;
}

struct totals {
	uint64_t sent, arrived, waits;
	bool done; /* with sending */
};

static struct totals sum_totals(const struct run *r)
{
	struct totals t = { .done = true };

	for (unsigned i = 0; i < r->n_flows; i++) {
		t.done &= atomic_load_explicit(&r->tx[i].done, memory_order_acquire);
		t.sent += load_counter(&r->tx[i].sent);
		t.waits += load_counter(&r->tx[i].waits);
		t.arrived += load_counter(&r->rx[i].arrived);
	}
	return t;
}

/* What the controller remembers between two looks. */
struct watch {
	struct totals last; /* when something was sent or received last */
	uint64_t sent_ms, arrived_ms;
	uint64_t shown_ms;
	struct totals shown;
};

static void update_watch(struct run *r, struct watch *w, const char *stage)
{
	const struct totals t = sum_totals(r);
	const uint64_t ms = get_elapsed_ms(r);

	if (t.sent != w->last.sent || t.waits == w->last.waits)
		w->sent_ms = ms;
	if (t.arrived != w->last.arrived)
		w->arrived_ms = ms;
	w->last = t;
	if (ms - w->shown_ms >= PROGRESS_MS) {
		report_progress(stage, ms, t.sent, t.arrived, t.sent - w->shown.sent,
				ms - w->shown_ms);
		w->shown = t;
		w->shown_ms = ms;
	}
}

static void watch_sending(struct run *r, struct watch *w, const volatile int *stop)
{
	while (!w->last.done) {
		usleep(TICK_MS * 1000);
		update_watch(r, w, "sending");
		if (get_elapsed_ms(r) - w->sent_ms >= STALL_MS && !r->trouble)
			r->trouble = "a port took no frame for 5 s";
		if (!*stop && !r->trouble)
			continue;
		r->interrupted = *stop;
		for (unsigned i = 0; i < r->n_flows; i++)
			atomic_store_explicit(&r->tx[i].stop, true, memory_order_relaxed);
	}
}

static void watch_draining(struct run *r, struct watch *w, const volatile int *stop)
{
	const uint64_t drain_ms = r->o->drain_ns / 1000000, start = get_elapsed_ms(r);
	const int stops = *stop;

	/* an interrupted run drains too; a second Ctrl-C ends that */
	while (*stop == stops) {
		const uint64_t since = w->arrived_ms > start ? w->arrived_ms : start;
		const bool all = w->last.arrived >= w->last.sent;

		if (get_elapsed_ms(r) - since >=
		    (all && drain_ms > AFTER_LAST_MS ? AFTER_LAST_MS : drain_ms))
			break;
		usleep(TICK_MS * 1000);
		update_watch(r, w, "draining");
	}
	r->interrupted |= *stop != 0;
}

void run_execute(struct run *r, const volatile int *stop)
{
	struct worker workers[MAX_JOBS] = { 0 };
	struct watch watch = { 0 };
	struct gate gate = { 0 };
	unsigned n_workers, lcore, i = 0;

	n_workers = assign_jobs(r, workers, &gate);
	RTE_LCORE_FOREACH_WORKER (lcore) {
		if (i < n_workers)
			rte_eal_remote_launch(run_worker, &workers[i++], lcore);
	}
	while (atomic_load(&gate.n_ready) < n_workers)
		sched_yield();
	start_clock(r);
	atomic_store_explicit(&gate.go, true, memory_order_release);
	watch_sending(r, &watch, stop);
	if (!r->o->send_only)
		watch_draining(r, &watch, stop);
	atomic_store_explicit(&gate.stop, true, memory_order_relaxed);
	rte_eal_mp_wait_lcore();
	end_progress_line();
	for (i = 0; i < r->n_flows; i++)
		tx_close(&r->tx[i]);
}

void run_free(struct run *r)
{
	for (unsigned i = 0; i < r->n_flows; i++) {
		rte_mempool_free(r->pools[i]);
		if (r->rx[i].track.pages)
			track_free(&r->rx[i].track);
		match_free(&r->rx[i].match);
	}
	capture_free(&r->capture);
}
