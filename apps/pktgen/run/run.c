/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/run.h"

#include <stdlib.h>

#include "base/counter.h"
#include "base/progress.h"
#include "cli/messages.h"
#include "monitor/publish.h"
#include "port/timestamps.h"
#include "run/extent.h"
#include "run/start.h"
#include "run/watch.h"
#include "run/workers.h"

enum {
	TICK_MS = 10,
	PROGRESS_MS = 1000,
	CLOCKS_MS = 100, /* time between two readings of the device clocks */
	STALL_MS = 5000,
	AFTER_LAST_MS = 100, /* wait for duplicates after every packet has arrived */
};

/* Sums of all streams. */
struct totals {
	uint64_t sent, arrived, distinct;
	bool is_done; /* every sender has finished */
};

/* State of the controller, which reads the state of senders and receivers once per tick. */
struct watch {
	struct run *run;
	const volatile int *stop; /* number of signals so far */
	struct workers workers;
	struct stall *stall; /* for each stream */
	uint64_t stalled_ms;
	struct totals last;
	uint64_t arrived_ms; /* time of the last packet that arrived */
	uint64_t first_cpu_ns;
	struct totals shown; /* in the last progress line */
	uint64_t shown_ms, observed_ms, clocks_ms;
	struct extent extent;
};

/* Stops the process after Ctrl-Z. After SIGCONT, the run continues as if no time had passed. */
static void suspend_run(struct watch *w)
{
	struct run *r = w->run;
	uint64_t start;

	end_progress_line();
	workers_park(&w->workers);
	utc_clock_end(&r->utc, &r->clock);
	start = clock_read();
	suspend_process();
	timestamps_resume(&r->ports);
	start_shift(r, clock_read() - start);
	utc_clock_begin(&r->utc, &r->clock);
	workers_resume(&w->workers);
}

static uint64_t get_elapsed_ms(const struct run *r)
{
	return run_clock_to_ns(&r->clock, clock_read()) / 1000000;
}

/* Sums all counters, and sets @stalled_ms to the longest stall of any stream. */
static struct totals sum_totals(struct watch *w, uint64_t ms)
{
	struct totals t = { .is_done = true };

	w->stalled_ms = 0;
	for (unsigned i = 0; i < w->run->n_streams; i++) {
		const struct tx *tx = &w->run->streams[i].tx;
		const bool is_done = atomic_load_explicit(&tx->done, memory_order_acquire);
		const uint64_t sent = counter_load(&tx->sent);
		const bool is_blocked =
			!is_done && atomic_load_explicit(&tx->blocked, memory_order_relaxed);
		const uint64_t stalled_ms = stall_update(&w->stall[i], sent, is_blocked, ms);

		t.is_done &= is_done;
		w->run->n_samples += !is_done;
		w->run->n_blocked += is_blocked;
		t.sent += sent;
		w->stalled_ms = stalled_ms > w->stalled_ms ? stalled_ms : w->stalled_ms;
	}
	for (unsigned i = 0; i < w->run->n_rx; i++) {
		t.arrived += counter_load(&w->run->rx[i].arrived);
		t.distinct += counter_load(&w->run->rx[i].distinct);
	}
	return t;
}

/* Calls the observer when it is due. A late tick does not delay later calls. */
static void call_observer(struct watch *w, const char *stage, uint64_t ms)
{
	const struct observer *o = &w->run->observer;

	if (!o->interval_ms || ms - w->observed_ms < o->interval_ms)
		return;
	w->observed_ms = ms - ms % o->interval_ms;
	o->see(o->arg, stage);
}

static struct progress make_progress(struct watch *w, const char *stage, uint64_t ms)
{
	const struct totals *t = &w->last;
	struct progress p = {
		.stage = stage,
		.ms = ms,
		.sent = t->sent,
		.arrived = t->arrived,
		.step = t->sent - w->shown.sent,
		.step_ms = ms - w->shown_ms,
		.share = -1,
	};

	if (!t->is_done)
		p.share = extent_compute_share(&w->extent, ms, t->sent, &p.left_s);
	return p;
}

/* Reads counters for the monitor: net_devx reads some from firmware only if this process asks. */
static void refresh_statistics(const struct run *r)
{
	struct rte_eth_stats unused;

	for (unsigned i = 0; r->o->allow_monitor && i < r->ports.n; i++)
		rte_eth_stats_get(r->ports.port[i].id, &unused);
}

/* Prints the progress when it is due. The monitor gets it at each call. */
static void show_progress(struct watch *w, const char *stage, uint64_t ms)
{
	const bool is_due = ms - w->shown_ms >= PROGRESS_MS;
	struct progress p;

	if (!is_due && !w->run->o->allow_monitor)
		return; /* the time left takes a calculation for each flow */
	p = make_progress(w, stage, ms);
	publish_write(&p, w->last.distinct);
	if (!is_due)
		return;
	report_progress(&p);
	w->shown = w->last;
	w->shown_ms = ms;
	refresh_statistics(w->run);
}

static void update_watch(struct watch *w, const char *stage)
{
	struct run *r = w->run;
	const uint64_t ms = get_elapsed_ms(r);
	const struct totals t = sum_totals(w, ms);

	if (t.arrived != w->last.arrived)
		w->arrived_ms = ms;
	if (t.arrived != w->last.arrived || t.sent != w->last.sent) {
		r->cpu_ns = workers_read_cpu_ns(&w->workers) - w->first_cpu_ns;
		r->busy_ms = ms;
	}
	w->last = t;
	show_progress(w, stage, ms);
	call_observer(w, stage, ms);
	if (ms - w->clocks_ms >= CLOCKS_MS) {
		timestamps_update(&r->ports);
		w->clocks_ms = ms;
	}
}

static void wait_tick(struct watch *w, const char *stage)
{
	clock_wait(TICK_MS * 1000);
	if (suspend_is_requested())
		suspend_run(w);
	if (w->run->trouble)
		port_watch_report(w->run);
	else
		w->run->trouble = port_watch_report(w->run);
	update_watch(w, stage);
}

static void watch_sending(struct watch *w)
{
	struct run *r = w->run;

	while (!w->last.is_done) {
		wait_tick(w, "sending");
		if (w->stalled_ms >= STALL_MS && !r->trouble)
			r->trouble = port_watch_explain_stall(r);
		if (!*w->stop && !r->trouble)
			continue;
		r->interrupted = *w->stop;
		for (unsigned i = 0; i < r->n_streams; i++)
			atomic_store_explicit(&r->streams[i].tx.stop, true, memory_order_relaxed);
	}
}

/* Waits for late frames, also after an interruption; one more signal ends the wait. */
static void watch_draining(struct watch *w)
{
	struct run *r = w->run;
	const uint64_t drain_ms = r->o->drain_ns / 1000000, start = get_elapsed_ms(r);
	const int stops = *w->stop;

	while (*w->stop == stops) {
		const uint64_t since = w->arrived_ms > start ? w->arrived_ms : start;
		const bool all = w->last.distinct >= w->last.sent;

		if (get_elapsed_ms(r) - since >=
		    (all && drain_ms > AFTER_LAST_MS ? AFTER_LAST_MS : drain_ms))
			break;
		wait_tick(w, "draining");
	}
	r->interrupted |= *w->stop != 0;
}

enum pktgen_exit run_execute(struct run *r, const volatile int *stop)
{
	static struct watch watch;

	watch = (struct watch){ .run = r,
				.stop = stop,
				.extent = extent_compute(&r->job, &r->ports) };
	watch.stall = calloc(r->n_streams, sizeof(*watch.stall));
	if (!watch.stall || workers_start(&watch.workers, r)) {
		free(watch.stall);
		return report_error(PKTGEN_ENVIRONMENT,
				    "no memory for the workers; free some memory");
	}
	r->n_workers = watch.workers.n;
	watch.first_cpu_ns = workers_read_cpu_ns(&watch.workers);
	suspend_catch();
	start_streams(r);
	workers_resume(&watch.workers);
	watch_sending(&watch);
	if (!r->o->send_only)
		watch_draining(&watch);
	timestamps_update(&r->ports);
	workers_end(&watch.workers);
	suspend_release();
	end_progress_line();
	r->end = clock_read();
	utc_clock_end(&r->utc, &r->clock);
	free(watch.stall);
	for (unsigned i = 0; i < r->n_streams; i++)
		tx_finish(&r->streams[i].tx);
	for (unsigned i = 0; i < r->n_rx; i++)
		rx_finish(&r->rx[i]);
	return PKTGEN_MET;
}
