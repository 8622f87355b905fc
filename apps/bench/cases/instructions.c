/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions of a burst function per packet. Callgrind, in a process of its own, and single steps
 * count the same windows. Both numbers repeat exactly.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/run.h"
#include "cases/instructions_callgrind.h"
#include "cli/messages.h"
#include "harness/point.h"
#include "harness/stepper.h"

#define WHY_EMU "the device must do nothing while a burst is stepped"

/* SIZE: of the frames; the count does not depend on it. CHECKED: burst that both methods count */
enum {
	PATH_BYTES = 96,
	SIZE = 60,
	POLL_BURST = 32,
	N_WARM_UP = 4,
	N_EMPTY_MARKS = 1000,
	CHECKED = 32
};

/* struct counting - what all points share */
struct counting {
	struct bench_run *run;
	const struct bench_lab *lab;
	struct bench_pair pair;
	enum bench_gauge gauge;
	double per_mark; /* instructions of empty marks */
};

static void print_path(char *text, size_t bytes, unsigned int path, uint16_t burst)
{
	snprintf(text, bytes, "instructions/%s/burst=%u", bench_paths[path].name, burst);
}

static unsigned int count_bursts(unsigned int path)
{
	return bench_paths[path].direction == BENCH_POLL ? 1 : BENCH_N_BURSTS;
}

static uint16_t pick_burst(unsigned int path, unsigned int i)
{
	return bench_paths[path].direction == BENCH_POLL ? POLL_BURST : bench_bursts[i];
}

static void list_points(void)
{
	char text[PATH_BYTES];

	for (unsigned int p = 0; p < bench_n_paths; p++)
		for (unsigned int i = 0; i < count_bursts(p); i++) {
			print_path(text, sizeof(text), p, pick_burst(p, i));
			puts(text);
		}
}

static bool is_wanted(const struct bench_run *run, unsigned int path, uint16_t burst)
{
	char text[PATH_BYTES];

	print_path(text, sizeof(text), path, burst);
	return bench_wants(run, text) && (!run->short_form || burst == CHECKED);
}

/* ---- rows ------------------------------------------------------------------------------- */

static const char *name_case(unsigned int path)
{
	static char names[32][32];

	snprintf(names[path], sizeof(names[0]), "instructions/%s", bench_paths[path].name);
	return names[path];
}

static int add_row(struct counting *c, struct bench_row *row, const struct callgrind_count *count,
		   const char *method)
{
	const bool poll = bench_paths[count->path].direction == BENCH_POLL;
	const double n = (double)count->n_instructions - c->per_mark * count->n_calls;

	row->case_name = name_case(count->path);
	bench_row_key(row, "burst", "%u", count->burst);
	bench_row_key(row, "method", "%s", method);
	if (row->missing[0])
		return bench_table_add(c->run->table, row);
	if (poll)
		bench_row_exact(row, "instructions_per_call", "instructions/call",
				n / count->n_calls);
	else
		bench_row_exact(row, "instructions_per_packet", "instructions/packet",
				n / count->n_packets);
	if (!poll)
		bench_row_exact(row, "packets_per_call", "packets",
				(double)count->n_packets / count->n_calls);
	return bench_table_add(c->run->table, row);
}

/*
 * Returns whether callgrind has counted this point. Single steps are much slower, so they count
 * only the rest: functions that a driver chooses on the real processor, such as those with AVX-512.
 * Both methods count bursts of CHECKED, so that they check each other.
 */
static bool has_count(const struct bench_run *run, const struct bench_row *like, unsigned int path,
		      uint16_t burst)
{
	char text[sizeof(like->key[0].value)];

	snprintf(text, sizeof(text), "%u", burst);
	for (size_t i = 0; burst != CHECKED && i < run->table->n_rows; i++) {
		const struct bench_row *row = &run->table->row[i];

		if (!strcmp(row->case_name, name_case(path)) && row->n_values &&
		    !strcmp(row->key[0].value, text) && !strcmp(row->driver, like->driver) &&
		    !strcmp(row->function, like->function))
			return true;
	}
	return false;
}

/* ---- one point ---------------------------------------------------------------------------- */

/* Runs windows until the state of the rings repeats, then one under the gauge. */
static int run_windows(struct counting *c, unsigned int driver, const struct bench_path *path,
		       uint16_t burst, struct bench_window *w)
{
	const struct bench_port *port = &c->pair.port[driver];
	int rc = 0;

	for (int i = 0; !rc && i < N_WARM_UP; i++)
		rc = bench_window_run(port, path->direction, burst, BENCH_HOT, BENCH_TSC, w);
	if (rc)
		return rc;
	callgrind_begin();
	rc = bench_window_run(port, path->direction, burst, BENCH_HOT, c->gauge, w);
	callgrind_end();
	return rc;
}

static int count_driver(struct counting *c, unsigned int driver, unsigned int path, uint16_t burst)
{
	struct callgrind_count count = { .path = path, .burst = burst, .driver = driver };
	struct bench_window w;
	struct bench_row row;
	int rc = 0;

	bench_pair_begin_row(&c->pair, driver, &row);
	if (c->gauge == BENCH_STEP && has_count(c->run, &row, path, burst))
		return 0;
	if (!row.missing[0])
		rc = run_windows(c, driver, &bench_paths[path], burst, &w);
	if (rc)
		snprintf(row.missing, sizeof(row.missing), "bursts of %u move no packets", burst);
	if (row.missing[0] && c->gauge == BENCH_CALLGRIND)
		return 0;
	if (!row.missing[0]) {
		count.n_packets = w.n_packets;
		count.n_calls = w.n_calls;
	}
	if (c->gauge == BENCH_CALLGRIND) {
		memcpy(count.function, row.function, sizeof(count.function));
		callgrind_write_count(&count);
		return 0;
	}
	if (!row.missing[0])
		count.n_instructions = bench_stepper_take();
	return add_row(c, &row, &count, "step");
}

static int count_path(struct counting *c, unsigned int path)
{
	char text[PATH_BYTES];
	bool open = false;
	int rc = 0;

	for (unsigned int i = 0; !rc && !*c->run->stopped && i < count_bursts(path); i++) {
		const uint16_t burst = pick_burst(path, i);

		if (!is_wanted(c->run, path, burst))
			continue;
		if (!open) {
			bench_pair_open(&c->pair, c->lab, &bench_paths[path], 0);
			bench_pair_set_size(&c->pair, SIZE);
			open = true;
		}
		print_path(text, sizeof(text), path, burst);
		bench_progress(c->run, "%s", text);
		for (unsigned int d = 0; !rc && d < BENCH_N_DRIVERS; d++)
			if (!c->run->short_form || d == BENCH_DEVX) /* CI judges only net_devx */
				rc = count_driver(c, d, path, burst);
	}
	if (open)
		bench_pair_close(&c->pair);
	return rc;
}

static int count_paths(struct bench_run *run, const struct bench_lab *lab, enum bench_gauge gauge,
		       double per_mark)
{
	struct counting c = { .run = run, .lab = lab, .gauge = gauge, .per_mark = per_mark };
	int rc = 0;

	for (unsigned int p = 0; !rc && p < bench_n_paths; p++)
		rc = count_path(&c, p);
	return rc;
}

/* ---- callgrind ---------------------------------------------------------------------------- */

/* Counts all points in the process under callgrind, and ends it. Callgrind writes the counts. */
static void count_under_callgrind(struct bench_run *run, const struct bench_lab *lab)
{
	const struct callgrind_count empty = { .n_calls = N_EMPTY_MARKS };
	int rc;

	callgrind_begin();
	for (int i = 0; i < N_EMPTY_MARKS; i++)
		bench_gauge_end(BENCH_CALLGRIND, bench_gauge_begin(BENCH_CALLGRIND));
	callgrind_end();
	callgrind_write_count(&empty);
	rc = count_paths(run, lab, BENCH_CALLGRIND, 0);
	_exit(rc ? BENCH_ENVIRONMENT : BENCH_DONE);
}

static int add_callgrind_rows(struct bench_run *run, const struct callgrind_count *counts,
			      unsigned int n)
{
	struct counting c = { .run = run };
	int rc = 0;

	c.per_mark = (double)counts[0].n_instructions / counts[0].n_calls;
	for (unsigned int i = 1; !rc && i < n; i++) {
		struct bench_row row = { 0 };

		snprintf(row.driver, sizeof(row.driver), "%s",
			 bench_drivers[counts[i].driver].name);
		memcpy(row.function, counts[i].function, sizeof(row.function));
		rc = add_row(&c, &row, &counts[i], "callgrind");
	}
	return rc;
}

static int run_callgrind(struct bench_run *run)
{
	struct callgrind_count *counts;
	unsigned int n;
	char why[256];
	int rc;

	bench_progress(run, "instructions: callgrind counts");
	rc = callgrind_run(&counts, &n, why, sizeof(why));
	if (rc)
		report_warning("instructions: callgrind counted %u points: %s", n ? n - 1 : 0, why);
	rc = n ? add_callgrind_rows(run, counts, n) : 0;
	free(counts);
	return rc;
}

/* ---- the case --------------------------------------------------------------------------- */

static int open_lab(struct bench_lab *lab, struct bench_run *run)
{
	char why[256];

	if (bench_lab_open(lab, run, why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "%s", why);
	if (lab->emu)
		return 0;
	return report_error(BENCH_ENVIRONMENT, "instructions: needs emu: " WHY_EMU);
}

static int run_instructions(struct bench_run *run)
{
	struct bench_lab lab;
	unsigned int per_mark;
	char why[160];
	int rc;

	if (callgrind_is_running()) {
		if (open_lab(&lab, run))
			_exit(BENCH_ENVIRONMENT);
		count_under_callgrind(run, &lab);
	}
	if (!run->short_form && run_callgrind(run))
		return BENCH_ENVIRONMENT;
	if (bench_stepper_start(&per_mark, why, sizeof(why))) {
		if (!run->table->n_rows)
			return report_error(BENCH_ENVIRONMENT,
					    "instructions: neither callgrind nor steps work: %s",
					    why);
		report_warning("instructions: no counts by single steps: %s", why);
		return BENCH_DONE;
	}
	rc = open_lab(&lab, run);
	if (!rc && count_paths(run, &lab, BENCH_STEP, per_mark))
		rc = BENCH_ENVIRONMENT;
	bench_stepper_stop();
	return rc;
}

static const char *const two_ports[] = { "--ports", "2", "--wire", "loop", NULL };

const struct bench_case bench_instructions = {
	.name = "instructions",
	.help = "instructions per packet of each burst function",
	.needs_emu = WHY_EMU,
	.emu = two_ports,
	.list = list_points,
	.run = run_instructions,
};
