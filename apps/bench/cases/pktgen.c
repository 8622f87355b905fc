/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cost of devx-pktgen itself, without that of a driver: TSC cycles per packet of its send loop and
 * of its receive loop, compared with testpmd. Also how exactly it keeps a rate, and how its memory
 * grows with the number of flows.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/exit.h"
#include "base/interval.h"
#include "base/run.h"
#include "cases/pktgen_programs.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

enum {
	PATH_BYTES = 96,
	MIN_ROUNDS = 3,
	MAX_ROUNDS = 64,
	MAX_CORES = 2,
	ONE_FLOW = 0,
	SHORT_FLOWS = 256
};

/* The frames, and the most similar forward modes of testpmd; NULL if it has none. */
static const struct traffic {
	const char *name;
	unsigned n_flows; /* in a job file; 0: one flow */
	const char *options[3];
	const char *rival;
	unsigned rival_flows;
	const char *receiving_rival;
} traffics[] = {
	[ONE_FLOW] = { "one_flow", 0, { NULL }, "txonly", 1, "rxonly" },
	{ "imix", 0, { "--size", "imix" }, NULL, 0, NULL },
	{ "1000_flows", 1000, { NULL }, "flowgen", 1000, "rxonly" },
	/* A job cannot have as many flows: one flow whose source address counts up. */
	{ "1000000_tuples",
	  0,
	  { "--src-ip", "10.0.0.0-10.15.66.63" },
	  "flowgen",
	  1000000,
	  "rxonly" },
};

/* The rates of pktgen/pace; --short measures the first. */
static const char *const paces[] = { "1Mpps", "1kpps", "10Mpps" };

static const unsigned memory_flows[] = { 1, 16, 256, 4096, 16384 };

/* The metrics of a point; each round samples each of them once. */
enum metric { LOOP, MAKE, SEND, VERIFY, RIVAL, RATIO, N_METRICS };

struct rounds {
	double sample[N_METRICS][MAX_ROUNDS];
	unsigned n, n_rival;
	char why[PROGRAMS_WHY_BYTES], rival_why[PROGRAMS_WHY_BYTES];
};

/* ---- points ---------------------------------------------------------------------------------- */

static const char *const loop_names[] = { "pktgen/send", "pktgen/receive" };

static void print_loop(char *text, bool verify, const struct traffic *t, unsigned cores)
{
	snprintf(text, PATH_BYTES, "%s/traffic=%s/cores=%u", loop_names[verify], t->name, cores);
}

static void print_pace(char *text, unsigned i)
{
	snprintf(text, PATH_BYTES, "pktgen/pace/rate=%s", paces[i]);
}

static void print_memory(char *text, unsigned n, bool verify)
{
	snprintf(text, PATH_BYTES, "pktgen/memory/flows=%u/verify=%s", n, verify ? "yes" : "no");
}

static void list_points(void)
{
	char text[PATH_BYTES];

	for (unsigned verify = 0; verify < 2; verify++)
		for (unsigned i = 0; i < N_OF(traffics); i++)
			for (unsigned cores = 1; cores <= MAX_CORES; cores++) {
				print_loop(text, verify, &traffics[i], cores);
				puts(text);
			}
	for (unsigned i = 0; i < N_OF(paces); i++) {
		print_pace(text, i);
		puts(text);
	}
	for (unsigned i = 0; i < N_OF(memory_flows); i++)
		for (unsigned verify = 0; verify < 2; verify++) {
			print_memory(text, memory_flows[i], verify);
			puts(text);
		}
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void add_samples(struct bench_row *row, const char *metric, const char *unit, double *sample,
			unsigned n)
{
	struct bench_interval i;

	bench_interval_of(sample, n, &i);
	if (n)
		row->value[row->n_values++] = (struct bench_value){
			.metric = metric,
			.unit = unit,
			.median = i.median,
			.low = i.low,
			.high = i.high,
			.n_samples = n,
		};
}

/* Runs devx-pktgen and then its rival, so that both find the machine in the same state. */
static void run_round(struct rounds *r, const struct pktgen_work *work, const char *rival,
		      unsigned rival_flows)
{
	struct pktgen_figures f;
	double cycles;

	if (pktgen_run(work, &f, r->why))
		return;
	r->sample[LOOP][r->n] = f.loop;
	r->sample[MAKE][r->n] = f.make;
	r->sample[SEND][r->n] = f.send;
	r->sample[VERIFY][r->n] = f.verify;
	r->n++;
	if (!rival || r->rival_why[0] || testpmd_run(rival, rival_flows, &cycles, r->rival_why))
		return;
	r->sample[RIVAL][r->n_rival] = cycles;
	r->sample[RATIO][r->n_rival] = (work->verify ? f.verify : f.loop) / cycles;
	r->n_rival++;
}

static int add_rows(struct bench_run *run, struct rounds *r, const struct traffic *t,
		    const struct pktgen_work *work, const char *rival)
{
	static const char *const unit = "cycles/packet";
	struct bench_row ours = { .case_name = loop_names[work->verify], .driver = "devx-pktgen" };
	struct bench_row theirs;
	int rc;

	bench_row_key(&ours, "traffic", "%s", t->name);
	bench_row_key(&ours, "cores", "%u", work->cores);
	theirs = ours;
	if (r->why[0]) {
		memcpy(ours.missing, r->why, sizeof(r->why));
	} else if (work->verify) {
		add_samples(&ours, "cycles_per_packet", unit, r->sample[VERIFY], r->n);
	} else {
		add_samples(&ours, "cycles_per_packet", unit, r->sample[LOOP], r->n);
		add_samples(&ours, "make_cycles_per_packet", unit, r->sample[MAKE], r->n);
		add_samples(&ours, "send_cycles_per_packet", unit, r->sample[SEND], r->n);
	}
	if (!r->why[0] && !r->rival_why[0])
		add_samples(&ours, "ratio_to_testpmd", "ratio", r->sample[RATIO], r->n_rival);
	rc = bench_table_add(run->table, &ours);
	if (rc || !rival || r->why[0])
		return rc;
	snprintf(theirs.driver, sizeof(theirs.driver), "testpmd %s", rival);
	if (r->rival_why[0])
		memcpy(theirs.missing, r->rival_why, sizeof(r->rival_why));
	else
		add_samples(&theirs, "cycles_per_packet", unit, r->sample[RIVAL], r->n_rival);
	return bench_table_add(run->table, &theirs);
}

static int measure_loop(struct bench_run *run, bool verify, const struct traffic *t, unsigned cores)
{
	static struct rounds r;
	const struct pktgen_work work = {
		.verify = verify,
		.n_flows = t->n_flows,
		.cores = cores,
		.options = { t->options[0], t->options[1] },
	};
	const char *rival = cores > 1 ? NULL : verify ? t->receiving_rival : t->rival;
	const uint64_t end_ns = bench_clock_ns() + (uint64_t)(run->time_limit_s * 1e9);
	char path[PATH_BYTES];

	print_loop(path, verify, t, cores);
	if (!bench_wants(run, path) || (run->short_form && (t != &traffics[ONE_FLOW] || cores > 1)))
		return 0;
	r = (struct rounds){ 0 };
	while (!r.why[0] && !*run->stopped && r.n < MAX_ROUNDS &&
	       (r.n < MIN_ROUNDS || bench_clock_ns() < end_ns)) {
		bench_progress(run, "%s, round %u", path, r.n + 1);
		run_round(&r, &work, rival, t->rival_flows);
	}
	/* a signal also ends the programs: the point then has no row */
	return *run->stopped ? 0 : add_rows(run, &r, t, &work, rival);
}

/* ---- pace ------------------------------------------------------------------------------------ */

static int measure_pace(struct bench_run *run, unsigned i)
{
	const struct pktgen_work work = { .is_paced = true,
					  .cores = 1,
					  .options = { "--rate", paces[i] } };
	const uint64_t end_ns = bench_clock_ns() + (uint64_t)(run->time_limit_s * 1e9);
	struct bench_row row = { .case_name = "pktgen/pace", .driver = "devx-pktgen" };
	double error[MAX_ROUNDS], gap[MAX_ROUNDS];
	struct pktgen_figures f;
	char path[PATH_BYTES];
	unsigned n = 0;

	print_pace(path, i);
	if (!bench_wants(run, path) || (run->short_form && i))
		return 0;
	bench_row_key(&row, "rate", "%s", paces[i]);
	while (!row.missing[0] && !*run->stopped && n < MAX_ROUNDS &&
	       (n < MIN_ROUNDS || bench_clock_ns() < end_ns)) {
		bench_progress(run, "%s, round %u", path, n + 1);
		if (pktgen_run(&work, &f, row.missing))
			continue;
		error[n] = f.rate_error_ppm;
		gap[n++] = f.gap_p99_ns;
	}
	if (*run->stopped)
		return 0;
	add_samples(&row, "rate_error", "ppm", error, n);
	add_samples(&row, "gap_p99", "ns", gap, n);
	return bench_table_add(run->table, &row);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * Runs devx-pktgen with @n flows of one packet each. Adds the peak memory, and the memory per flow:
 * that above @one KiB, the median of runs with one flow. Returns the median peak in KiB.
 */
static double measure_memory(struct bench_run *run, unsigned n, bool verify, double one,
			     struct bench_row *row)
{
	static const double kib = 1024;
	const struct pktgen_work work = {
		.verify = verify, .n_flows = n, .n_packets = 1, .cores = 1
	};
	double peak[MIN_ROUNDS], part[MIN_ROUNDS];
	struct pktgen_figures f;

	for (unsigned i = 0; i < MIN_ROUNDS; i++) {
		if (*run->stopped || pktgen_run(&work, &f, row->missing))
			return 0;
		peak[i] = (double)f.peak_kib / kib;
		part[i] = n > 1 ? ((double)f.peak_kib - one) * kib / (n - 1) : 0;
	}
	add_samples(row, "peak_memory", "MiB", peak, MIN_ROUNDS);
	if (n > 1)
		add_samples(row, "memory_per_flow", "bytes/flow", part, MIN_ROUNDS);
	return row->value[0].median * kib;
}

static int measure_memories(struct bench_run *run, bool verify)
{
	double one = 0;
	int rc = 0;

	for (unsigned i = 0; !rc && !*run->stopped && i < N_OF(memory_flows); i++) {
		const unsigned n = memory_flows[i];
		struct bench_row row = { .case_name = "pktgen/memory", .driver = "devx-pktgen" };
		struct bench_row first = row;
		char path[PATH_BYTES];
		double peak;

		print_memory(path, n, verify);
		if (!bench_wants(run, path) || (run->short_form && n > SHORT_FLOWS))
			continue;
		bench_progress(run, "%s", path);
		bench_row_key(&row, "flows", "%u", n);
		bench_row_key(&row, "verify", "%s", verify ? "yes" : "no");
		if (n > 1 && one <= 0)
			one = measure_memory(run, 1, verify, 0, &first);
		peak = measure_memory(run, n, verify, one, &row);
		if (n == 1)
			one = peak;
		if (!*run->stopped)
			rc = bench_table_add(run->table, &row);
	}
	return rc;
}

/* ---- the case -------------------------------------------------------------------------------- */

static int run_pktgen(struct bench_run *run)
{
	int rc = 0;

	signal(SIGPIPE, SIG_IGN); /* a program may end before it reads its stdin */
	for (unsigned verify = 0; verify < 2; verify++)
		for (unsigned i = 0; i < N_OF(traffics); i++)
			for (unsigned cores = 1; cores <= MAX_CORES && !rc && !*run->stopped;
			     cores++)
				rc = measure_loop(run, verify, &traffics[i], cores);
	for (unsigned i = 0; !rc && !*run->stopped && i < N_OF(paces); i++)
		rc = measure_pace(run, i);
	for (unsigned verify = 0; !rc && verify < 2; verify++)
		rc = measure_memories(run, verify);
	return rc ? BENCH_ENVIRONMENT : BENCH_DONE;
}

const struct bench_case bench_pktgen = {
	.name = "pktgen",
	.help = "cycles per packet of devx-pktgen beside testpmd, its rates and its memory",
	.own_ports = "it runs devx-pktgen and testpmd on net_null and net_ring",
	.list = list_points,
	.run = run_pktgen,
};
