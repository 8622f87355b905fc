/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cycles of a burst in lock-step with emu. Windows of the two drivers alternate, and their ratio
 * is that of consecutive windows.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/exit.h"
#include "base/run.h"
#include "base/samples.h"
#include "cli/messages.h"
#include "harness/core.h"
#include "harness/point.h"

#define WHY_EMU "an adapter works while a burst is measured; emu works between two bursts"

enum { PATH_BYTES = 96, POLL_BURST = 32 };

/* Rejects windows in which a neighbour slowed the core below this part of its best rate. */
static const double slow_core = 0.93;

/* struct point - @buffers: bytes of a buffer, or 0 if the path has no buffers to choose */
struct point {
	const struct bench_path *path;
	uint16_t burst, size, buffers;
	enum bench_cache cache;
};

/* struct series - the samples of one driver at a point */
struct series {
	struct bench_samples tsc, core, ratio;
	double best;
	unsigned int n_packets, n_calls;
};

/* struct measurement - all that the points of a path share */
struct measurement {
	struct bench_run *run;
	struct bench_pair pair;
	struct series series[BENCH_N_DRIVERS];
	uint64_t mark_cycles;
	double best_rate; /* core cycles per TSC cycle, at this point */
};

static void print_path(char *text, size_t bytes, const struct point *p)
{
	int n;

	if (p->path->direction == BENCH_POLL) {
		snprintf(text, bytes, "cycles/%s/burst=%u", p->path->name, p->burst);
		return;
	}
	n = snprintf(text, bytes, "cycles/%s/burst=%u/size=%u/cache=%s", p->path->name, p->burst,
		     p->size, bench_cache_names[p->cache]);
	if (p->buffers)
		snprintf(text + n, bytes - (size_t)n, "/buffers=%u", p->buffers);
}

/* Returns the number of sizes that frames for @buffers have. */
static unsigned int count_sizes(const struct bench_path *path, uint16_t buffers)
{
	if (path->direction == BENCH_POLL || buffers == BENCH_SMALL_BUFFER)
		return 1;
	return BENCH_N_SIZES;
}

/* Calls @visit for every point with one size of buffers, until it returns an error. */
static int visit_points(const struct bench_path *path, uint16_t buffers,
			int (*visit)(void *arg, const struct point *p), void *arg)
{
	const bool poll = path->direction == BENCH_POLL;
	struct point p = { .path = path, .buffers = buffers };
	int rc = 0;

	for (unsigned int s = 0; s < count_sizes(path, buffers); s++)
		for (unsigned int c = 0; c < (poll ? 1 : BENCH_N_CACHES); c++)
			for (unsigned int b = 0; !rc && b < (poll ? 1 : BENCH_N_BURSTS); b++) {
				p.size = bench_sizes[s];
				p.cache = (enum bench_cache)c;
				p.burst = poll ? POLL_BURST : bench_bursts[b];
				rc = visit(arg, &p);
			}
	return rc;
}

static int print_point(void *unused, const struct point *p)
{
	char text[PATH_BYTES];

	(void)unused;
	print_path(text, sizeof(text), p);
	puts(text);
	return 0;
}

static void list_points(void)
{
	for (unsigned int i = 0; i < bench_n_paths; i++)
		for (unsigned int b = 0; b < bench_path_count_buffers(&bench_paths[i]); b++)
			visit_points(&bench_paths[i], bench_path_get_buffers(&bench_paths[i], b),
				     print_point, NULL);
}

static bool is_in_short_form(const struct point *p)
{
	return p->size == 60 && p->cache == BENCH_HOT && p->burst == 64 &&
	       p->buffers != BENCH_SMALL_BUFFER;
}

/* ---- one point -------------------------------------------------------------------------- */

/* Returns the cycles per packet, or per empty poll; negative if the window does not count. */
static double measure_window(struct measurement *m, unsigned int driver, const struct point *p,
			     int *rc)
{
	struct bench_core_mark mark;
	struct bench_window w;
	struct series *s = &m->series[driver];
	double cycles;

	bench_core_begin(&mark, m->pair.lab->cpu);
	*rc = bench_window_run(&m->pair.port[driver], p->path->direction, p->burst, p->cache,
			       BENCH_TSC, &w);
	if (*rc)
		return -1;
	if (w.interrupted || bench_core_was_taken(&mark))
		return -1;
	s->n_packets += w.n_packets;
	s->n_calls += w.n_calls;
	cycles = (double)w.cycles - (double)w.n_calls * (double)m->mark_cycles;
	return cycles / (p->path->direction == BENCH_POLL ? w.n_calls : w.n_packets);
}

static void fail_driver(struct measurement *m, unsigned int driver, const struct point *p, int rc)
{
	const enum bench_direction d = p->path->direction;
	const bool sends = d == BENCH_TX || d == BENCH_RING_TX;

	if (rc == -ENOMEM)
		snprintf(m->pair.missing[driver], sizeof(m->pair.missing[driver]),
			 "the pool of packets has no mbuf left");
	else
		snprintf(m->pair.missing[driver], sizeof(m->pair.missing[driver]),
			 "bursts of %u %s no packets, although %s", p->burst,
			 sends ? "send" : "return",
			 sends ? "the ring is empty" : "packets are waiting");
}

/* Measures one window of each driver. */
static void measure_round(struct measurement *m, const struct point *p)
{
	const double rate = bench_core_per_tsc();
	double cycles[BENCH_N_DRIVERS] = { -1, -1 };

	if (rate > m->best_rate)
		m->best_rate = rate;
	for (unsigned int d = 0; d < BENCH_N_DRIVERS; d++) {
		struct series *s = &m->series[d];
		int rc;

		if (m->pair.missing[d][0])
			continue;
		cycles[d] = measure_window(m, d, p, &rc);
		if (rc)
			fail_driver(m, d, p, rc);
		else if (cycles[d] < 0 || rate < slow_core * m->best_rate) {
			cycles[d] = -1;
			bench_samples_reject(&s->tsc);
		} else {
			bench_samples_add(&s->tsc, cycles[d]);
			bench_samples_add(&s->core, cycles[d] * rate);
			if (cycles[d] < s->best || s->best == 0)
				s->best = cycles[d];
		}
	}
	if (cycles[BENCH_DEVX] > 0 && cycles[BENCH_MLX5] > 0)
		bench_samples_add(&m->series[BENCH_DEVX].ratio,
				  cycles[BENCH_DEVX] / cycles[BENCH_MLX5]);
}

static bool wants_more(struct measurement *m)
{
	bool more = false;

	for (unsigned int d = 0; d < BENCH_N_DRIVERS; d++)
		if (!m->pair.missing[d][0])
			more |= bench_samples_want(&m->series[d].tsc);
	return more;
}

static int begin_series(struct measurement *m)
{
	int rc = 0;

	memset(m->series, 0, sizeof(m->series));
	m->best_rate = 0; /* a processor may lower its clock for the rest of the run */
	for (unsigned int d = 0; !rc && d < BENCH_N_DRIVERS; d++) {
		rc = bench_samples_begin(&m->series[d].tsc, m->run);
		if (!rc)
			rc = bench_samples_begin(&m->series[d].core, m->run);
		if (!rc)
			rc = bench_samples_begin(&m->series[d].ratio, m->run);
	}
	return rc;
}

static const char *name_case(const struct bench_path *path)
{
	static char names[32][32];
	char *name = names[path - bench_paths];

	snprintf(name, sizeof(names[0]), "cycles/%s", path->name);
	return name;
}

static void add_keys(struct bench_row *row, const struct point *p, bool huge)
{
	row->case_name = name_case(p->path);
	bench_row_key(row, "burst", "%u", p->burst);
	if (p->path->direction != BENCH_POLL) {
		bench_row_key(row, "size", "%u", p->size);
		bench_row_key(row, "cache", "%s", bench_cache_names[p->cache]);
	}
	if (p->buffers)
		bench_row_key(row, "buffers", "%u", p->buffers);
	bench_row_key(row, "pages", "%s", huge ? "2M" : "4K");
}

static int add_row(struct measurement *m, unsigned int driver, const struct point *p)
{
	const bool poll = p->path->direction == BENCH_POLL;
	const char *unit = poll ? "cycles/call" : "cycles/packet";
	struct series *s = &m->series[driver];
	struct bench_row row;

	bench_pair_begin_row(&m->pair, driver, &row);
	add_keys(&row, p, m->pair.lab->huge);
	if (!row.missing[0] && !s->tsc.n && *m->run->stopped)
		snprintf(row.missing, sizeof(row.missing), "a signal ended the run");
	else if (!row.missing[0] && !s->tsc.n)
		snprintf(row.missing, sizeof(row.missing),
			 "the core was taken away or slowed down, or calls took too long, in all "
			 "%u windows",
			 s->tsc.n_rejected);
	bench_samples_finish(&s->tsc, &row, poll ? "tsc_cycles_per_call" : "tsc_cycles_per_packet",
			     unit);
	bench_samples_finish(&s->core, &row,
			     poll ? "core_cycles_per_call" : "core_cycles_per_packet", unit);
	bench_samples_finish(&s->ratio, &row, "ratio_to_net_mlx5", "x");
	if (row.missing[0])
		row.n_values = 0;
	else
		bench_row_exact(&row, "best_tsc_cycles", unit, s->best);
	if (!row.missing[0] && !poll && s->n_calls)
		bench_row_exact(&row, "packets_per_call", "packets",
				(double)s->n_packets / s->n_calls);
	return bench_table_add(m->run->table, &row);
}

static int measure_point(void *arg, const struct point *p)
{
	struct measurement *m = arg;
	char path[PATH_BYTES], saved[BENCH_N_DRIVERS][sizeof(m->pair.missing[0])];
	const char *lacks;
	int rc;

	print_path(path, sizeof(path), p);
	if (*m->run->stopped || !bench_wants(m->run, path) ||
	    (m->run->short_form && !is_in_short_form(p)))
		return 0;
	bench_progress(m->run, "%s", path);
	bench_pair_set_size(&m->pair, p->size);
	memcpy(saved, m->pair.missing, sizeof(saved));
	lacks = bench_engine_lacks(m->pair.lab, p->cache);
	for (unsigned int d = 0; lacks && d < BENCH_N_DRIVERS; d++)
		if (!m->pair.missing[d][0])
			snprintf(m->pair.missing[d], sizeof(m->pair.missing[d]), "%s", lacks);
	rc = begin_series(m);
	while (!rc && wants_more(m))
		measure_round(m, p);
	for (unsigned int d = 0; !rc && d < BENCH_N_DRIVERS; d++)
		rc = add_row(m, d, p);
	memcpy(m->pair.missing, saved, sizeof(saved));
	return rc;
}

/* ---- the case --------------------------------------------------------------------------- */

static int find_wanted(void *arg, const struct point *p)
{
	const struct bench_run *run = arg;
	char path[PATH_BYTES];

	print_path(path, sizeof(path), p);
	return bench_wants(run, path) && (!run->short_form || is_in_short_form(p));
}

/* Measures the wanted points of a path, if any, with one size of buffers. */
static int measure_path(struct measurement *m, const struct bench_lab *lab,
			const struct bench_path *path, uint16_t buffers)
{
	int rc;

	if (*m->run->stopped || !visit_points(path, buffers, find_wanted, m->run))
		return 0;
	bench_pair_open(&m->pair, lab, path, buffers);
	rc = visit_points(path, buffers, measure_point, m);
	bench_pair_close(&m->pair);
	return rc;
}

static int measure_paths(struct bench_run *run, const struct bench_lab *lab)
{
	struct measurement m = { .run = run };
	int rc = 0;

	m.mark_cycles = bench_core_measure_marks();
	for (const struct bench_path *path = bench_paths; path < bench_paths + bench_n_paths;
	     path++)
		for (unsigned int b = 0; !rc && b < bench_path_count_buffers(path); b++)
			rc = measure_path(&m, lab, path, bench_path_get_buffers(path, b));
	bench_engine_stop_helper();
	return rc;
}

static int run_cycles(struct bench_run *run)
{
	struct bench_lab lab;
	char why[256];

	if (bench_lab_open(&lab, run, why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "%s", why);
	if (!lab.emu)
		return report_error(BENCH_ENVIRONMENT, "cycles: needs emu: " WHY_EMU);
	return measure_paths(run, &lab) ? BENCH_ENVIRONMENT : BENCH_DONE;
}

static const char *const two_ports[] = { "--ports", "2", "--wire", "loop", NULL };

const struct bench_case bench_cycles = {
	.name = "cycles",
	.help = "cycles per packet of each burst function, in lock-step with emu",
	.needs_emu = WHY_EMU,
	.emu = two_ports,
	.list = list_points,
	.run = run_cycles,
};
