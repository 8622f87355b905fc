/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/units.h"
#include "report/flow_text.h"
#include "report/rate.h"
#include "report/verdict.h"

bool summary_is_short(const struct run *r)
{
	return r->job.n_flows > SUMMARY_MIN_FLOWS && !r->o->all_flows;
}

/* ---- the worst flows ------------------------------------------------------------ */

static uint64_t count_faults(const struct figures_flow *f)
{
	const struct account *a = &f->account;

	return a->lost + a->duplicated + a->reordered + a->corrupted + a->untracked +
	       (f->flow->expect == EXPECT_ANY ? 0 : a->changed);
}

/* Returns the share of the requested rate that a flow reached; 1 if it kept the rate. */
static double compute_share(const struct figures_flow *f)
{
	const struct measured_rate rate = rate_measure_whole(&f->tx);
	const double share =
		rate.is_known && f->offered_rate > 0 ? rate.packets / f->offered_rate : 1;

	return share * 100 < VERDICT_MET_PERCENT ? share : 1;
}

static uint64_t get_max_latency(const struct figures_flow *f)
{
	return f->latency.times ? f->latency.times->max_ns : 0;
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Sorts the worst flow first, and equal ones as the job does. */
static int compare_flows(const void *left, const void *right)
{
	const struct figures_flow *a = *(const struct figures_flow *const *)left;
	const struct figures_flow *b = *(const struct figures_flow *const *)right;
	int order = compare_numbers((double)count_faults(b), (double)count_faults(a));

	if (!order)
		order = compare_numbers(compute_share(a), compute_share(b));
	if (!order)
		order = compare_numbers((double)get_max_latency(b), (double)get_max_latency(a));
	return order ? order : compare_numbers((double)(a - b), 0);
}

static void print_worst_flows(const struct run *r, const struct figures *f)
{
	const struct figures_flow **flows = malloc(f->n_flows * sizeof(*flows));

	if (!flows)
		return; /* JSON and CSV have every flow */
	for (unsigned i = 0; i < f->n_flows; i++)
		flows[i] = &f->flows[i];
	qsort(flows, f->n_flows, sizeof(*flows), compare_flows);
	printf("the %d worst of %s flows: by packets with a fault, missed rate, largest latency "
	       "(--all-flows prints all)\n",
	       SUMMARY_N_FLOWS, units_format_count(f->n_flows));
	for (unsigned i = 0; i < SUMMARY_N_FLOWS; i++)
		flow_text_print(r, f, flows[i]);
	free(flows);
}

void summary_print_flows(const struct run *r, const struct figures *f)
{
	if (summary_is_short(r)) {
		print_worst_flows(r, f);
		return;
	}
	for (unsigned i = 0; i < f->n_flows; i++)
		flow_text_print(r, f, &f->flows[i]);
}

/* ---- the distribution ----------------------------------------------------------- */

/* The functions return the number of a flow; NAN: it has none. */

static double get_sent(const struct figures_flow *f)
{
	return (double)f->account.sent;
}

static double get_received(const struct figures_flow *f)
{
	return (double)f->account.received;
}

static double get_lost(const struct figures_flow *f)
{
	return (double)f->account.lost;
}

static double get_duplicated(const struct figures_flow *f)
{
	return (double)f->account.duplicated;
}

static double get_reordered(const struct figures_flow *f)
{
	return (double)f->account.reordered;
}

static double get_corrupted(const struct figures_flow *f)
{
	return (double)f->account.corrupted;
}

static double get_rate(const struct figures_side *s)
{
	const struct measured_rate rate = rate_measure_whole(s);

	return rate.is_known ? rate.packets : NAN;
}

static double get_sent_rate(const struct figures_flow *f)
{
	return get_rate(&f->tx);
}

static double get_received_rate(const struct figures_flow *f)
{
	return get_rate(&f->rx);
}

static double get_mean(const struct figures_times *t)
{
	return t->times ? histogram_compute_mean(t->times) : NAN;
}

static double get_latency_mean(const struct figures_flow *f)
{
	return get_mean(&f->latency);
}

static double get_latency_p99(const struct figures_flow *f)
{
	const unsigned p99 = 990000; /* millionths */

	return f->latency.times ? (double)histogram_find_percentile(f->latency.times, p99) : NAN;
}

static double get_latency_max(const struct figures_flow *f)
{
	return f->latency.times ? (double)f->latency.times->max_ns : NAN;
}

static double get_jitter_mean(const struct figures_flow *f)
{
	return get_mean(&f->jitter);
}

enum unit { UNIT_PACKETS, UNIT_RATE, UNIT_TIME };

static const struct row {
	const char *name;
	enum unit unit;
	bool is_received; /* not with --send-only */
	double (*get)(const struct figures_flow *f);
} rows[] = {
	{ "sent", UNIT_PACKETS, false, get_sent },
	{ "received", UNIT_PACKETS, true, get_received },
	{ "lost", UNIT_PACKETS, true, get_lost },
	{ "duplicated", UNIT_PACKETS, true, get_duplicated },
	{ "reordered", UNIT_PACKETS, true, get_reordered },
	{ "corrupted", UNIT_PACKETS, true, get_corrupted },
	{ "sent per second", UNIT_RATE, false, get_sent_rate },
	{ "received per second", UNIT_RATE, true, get_received_rate },
	{ "latency, mean", UNIT_TIME, true, get_latency_mean },
	{ "latency, p99", UNIT_TIME, true, get_latency_p99 },
	{ "latency, max", UNIT_TIME, true, get_latency_max },
	{ "jitter, mean", UNIT_TIME, true, get_jitter_mean },
};

static int compare_values(const void *left, const void *right)
{
	return compare_numbers(*(const double *)left, *(const double *)right);
}

static void print_value(enum unit unit, double value)
{
	char text[32];

	if (unit == UNIT_PACKETS)
		snprintf(text, sizeof(text), "%s", units_format_count((uint64_t)value));
	else if (unit == UNIT_RATE)
		snprintf(text, sizeof(text), "%spps", units_format_si(value));
	else
		snprintf(text, sizeof(text), "%s", units_format_time(value));
	printf(" %12s", text);
}

/* Prints the nearest rank of each percentile. @values: room for the number of each flow */
static void print_row(const struct row *row, const struct figures *f, double *values)
{
	static const unsigned percents[] = { 0, 10, 50, 90, 99, 100 };
	unsigned n = 0;

	for (unsigned i = 0; i < f->n_flows; i++) {
		values[n] = row->get(&f->flows[i]);
		n += !isnan(values[n]);
	}
	if (!n)
		return;
	qsort(values, n, sizeof(*values), compare_values);
	printf("        %-20s %9s", row->name, units_format_count(n));
	for (unsigned i = 0; i < RTE_DIM(percents); i++) {
		const uint64_t rank = ((uint64_t)n * percents[i] + 99) / 100;

		print_value(row->unit, values[rank ? rank - 1 : 0]);
	}
	putchar('\n');
}

static void print_distribution(const struct run *r, const struct figures *f)
{
	double *values = malloc(f->n_flows * sizeof(*values));

	if (!values)
		return;
	printf("distribution over flows:     %9s %12s %12s %12s %12s %12s %12s\n", "flows", "min",
	       "p10", "p50", "p90", "p99", "max");
	for (unsigned i = 0; i < RTE_DIM(rows); i++) {
		if (!rows[i].is_received || !r->o->send_only)
			print_row(&rows[i], f, values);
	}
	free(values);
}

/* ---- all flows ------------------------------------------------------------------ */

/* Counts the flows with a fault of each kind. */
static void print_flows_with_faults(const struct figures *f)
{
	unsigned lost = 0, duplicated = 0, reordered = 0, corrupted = 0;

	for (unsigned i = 0; i < f->n_flows; i++) {
		const struct account *a = &f->flows[i].account;

		lost += a->lost != 0;
		duplicated += a->duplicated != 0;
		reordered += a->reordered != 0;
		corrupted += a->corrupted != 0;
	}
	printf("        flows with packets lost: %s, duplicated: %s, reordered: %s, corrupted: "
	       "%s\n",
	       units_format_count(lost), units_format_count(duplicated),
	       units_format_count(reordered), units_format_count(corrupted));
}

static void print_total_rate(const struct figures *f)
{
	const struct measured_rate sent = rate_measure_whole(&f->tx);
	const struct measured_rate received = rate_measure_whole(&f->rx);

	if (!sent.is_known)
		return;
	printf("        rate: sent %spps", units_format_si(sent.packets));
	if (received.is_known)
		printf(", received %spps", units_format_si(received.packets));
	putchar('\n');
}

void summary_print_all(const struct run *r, const struct figures *f)
{
	if (f->n_flows < 2)
		return;
	flow_text_print_account("all flows", &f->account, r->o->send_only);
	if (!r->o->send_only)
		print_flows_with_faults(f);
	flow_text_print_moments("sent", &f->tx);
	flow_text_print_moments("received", &f->rx);
	flow_text_print_times("latency", &f->latency);
	flow_text_print_times("jitter", &f->jitter);
	print_total_rate(f);
	if (f->n_flows > SUMMARY_MIN_FLOWS)
		print_distribution(r, f);
}
