/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/run.h"

#include <unistd.h>

#include "base/progress.h"
#include "cli/messages.h"
#include "run/stall.h"
#include "run/suspend.h"
#include "run/workers.h"

enum {
	TICK_MS = 10,
	PROGRESS_MS = 1000,
	STALL_MS = 5000,
	AFTER_LAST_MS = 100, /* wait for duplicates after every packet has arrived */
};

/* Sums of all flows. */
struct totals {
	uint64_t sent, arrived, distinct;
	bool is_done; /* every sender has finished */
};

/* State of the controller, which looks at senders and receivers once per tick. */
struct watch {
	struct run *run;
	const volatile int *stop; /* number of SIGINT and SIGTERM so far */
	struct workers workers;
	struct stall stall[PKTGEN_MAX_FLOWS];
	uint64_t stalled_ms;
	struct totals last;
	uint64_t arrived_ms; /* time of the last packet that arrived */
	uint64_t first_cpu_ns;
	struct totals shown; /* in the last progress line */
	uint64_t shown_ms;
};

/* Starts the clock: rates and durations count from now on. */
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

/* Adds @pause (TSC) to every time of the run: the pause does not count. The workers are parked. */
static void shift_times(struct run *r, uint64_t pause)
{
	r->clock.start += pause;
	for (unsigned i = 0; i < r->n_flows; i++) {
		struct tx *tx = &r->tx[i];
		struct rx *rx = &r->rx[i];

		tx->begin += pause;
		tx->end += tx->end ? pause : 0;
		tx->until += tx->until != UINT64_MAX ? pause : 0;
		tx->bucket.last += pause;
		rx->first += rx->first ? pause : 0;
		rx->last += rx->last ? pause : 0;
	}
}

/* Stops the process after Ctrl-Z. The run goes on after SIGCONT as if no time had passed. */
static void suspend_run(struct watch *w)
{
	uint64_t start;

	end_progress_line();
	workers_park(&w->workers);
	start = rte_rdtsc();
	suspend_process();
	shift_times(w->run, rte_rdtsc() - start);
	workers_resume(&w->workers);
}

static uint64_t get_elapsed_ms(const struct run *r)
{
	return run_clock_to_ns(&r->clock, rte_rdtsc()) / 1000000;
}

static uint64_t load_counter(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Sums the counters of all flows, and sets @stalled_ms to the longest stall of any flow. */
static struct totals sum_totals(struct watch *w, uint64_t ms)
{
	struct totals t = { .is_done = true };

	w->stalled_ms = 0;
	for (unsigned i = 0; i < w->run->n_flows; i++) {
		const struct tx *tx = &w->run->tx[i];
		const bool is_done = atomic_load_explicit(&tx->done, memory_order_acquire);
		const uint64_t sent = load_counter(&tx->sent);
		const bool is_blocked =
			!is_done && atomic_load_explicit(&tx->blocked, memory_order_relaxed);
		const uint64_t stalled_ms = stall_update(&w->stall[i], sent, is_blocked, ms);

		t.is_done &= is_done;
		t.sent += sent;
		t.arrived += load_counter(&w->run->rx[i].arrived);
		t.distinct += load_counter(&w->run->rx[i].distinct);
		w->stalled_ms = stalled_ms > w->stalled_ms ? stalled_ms : w->stalled_ms;
	}
	return t;
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
	if (ms - w->shown_ms >= PROGRESS_MS) {
		report_progress(stage, ms, t.sent, t.arrived, t.sent - w->shown.sent,
				ms - w->shown_ms);
		w->shown = t;
		w->shown_ms = ms;
	}
}

static void wait_tick(struct watch *w, const char *stage)
{
	usleep(TICK_MS * 1000);
	if (suspend_is_requested())
		suspend_run(w);
	update_watch(w, stage);
}

static void watch_sending(struct watch *w)
{
	struct run *r = w->run;

	while (!w->last.is_done) {
		wait_tick(w, "sending");
		if (w->stalled_ms >= STALL_MS && !r->trouble)
			r->trouble = "a port took no frame for 5 s";
		if (!*w->stop && !r->trouble)
			continue;
		r->interrupted = *w->stop;
		for (unsigned i = 0; i < r->n_flows; i++)
			atomic_store_explicit(&r->tx[i].stop, true, memory_order_relaxed);
	}
}

/* Waits for late frames, after an interruption too; one more signal ends the wait. */
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

void run_execute(struct run *r, const volatile int *stop)
{
	static struct watch watch;

	watch = (struct watch){ .run = r, .stop = stop };
	workers_start(&watch.workers, r);
	r->n_workers = watch.workers.n;
	watch.first_cpu_ns = workers_read_cpu_ns(&watch.workers);
	suspend_catch();
	start_clock(r);
	workers_resume(&watch.workers);
	watch_sending(&watch);
	if (!r->o->send_only)
		watch_draining(&watch);
	workers_end(&watch.workers);
	suspend_release();
	end_progress_line();
	for (unsigned i = 0; i < r->n_flows; i++)
		tx_finish(&r->tx[i]);
}
