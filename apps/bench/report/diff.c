/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "report/grid.h"

enum { PATH_BYTES = 512 };

enum direction { LESS_IS_BETTER, MORE_IS_BETTER, NOT_JUDGED };

static bool ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static enum direction find_direction(const char *unit)
{
	static const char *const not_judged[] = { "", "x", "ratio", "packets" };

	for (unsigned i = 0; i < sizeof(not_judged) / sizeof(not_judged[0]); i++)
		if (!strcmp(unit, not_judged[i]))
			return NOT_JUDGED;
	return ends_with(unit, "/s") || ends_with(unit, "pps") ? MORE_IS_BETTER : LESS_IS_BETTER;
}

static bool has_same_point(const struct bench_row *a, const struct bench_row *b)
{
	if (strcmp(a->case_name, b->case_name) || strcmp(a->driver, b->driver) ||
	    a->n_keys != b->n_keys)
		return false;
	for (unsigned i = 0; i < a->n_keys; i++) {
		const char *value = bench_row_get_key(b, a->key[i].name);

		if (!value || strcmp(value, a->key[i].value))
			return false;
	}
	return true;
}

static const struct bench_row *find_point(const struct bench_table *table,
					  const struct bench_row *like)
{
	for (size_t i = 0; i < table->n_rows; i++)
		if (has_same_point(&table->row[i], like))
			return &table->row[i];
	return NULL;
}

/* A value in cycles or time has noise even without an interval, such as the shortest of many. */
static bool is_exact(const struct bench_value *v)
{
	static const char *const noisy[] = { "ns", "us", "ms", "s" };

	for (unsigned i = 0; i < sizeof(noisy) / sizeof(noisy[0]); i++)
		if (!strcmp(v->unit, noisy[i]))
			return false;
	return v->low == v->high && strncmp(v->unit, "cycles", strlen("cycles"));
}

/*
 * JSON keeps nine digits of a number with a fraction. Counts of instructions differ by some in ten
 * thousand between two runs of one binary, because completions arrive at different bursts.
 */
static bool is_same_number(const struct bench_value *a, const struct bench_value *b)
{
	static const double json_digits = 1e-8, repeat = 1e-3;
	const bool counted = !strncmp(a->unit, "instructions", strlen("instructions"));

	return fabs(a->median - b->median) <= (counted ? repeat : json_digits) * fabs(a->median);
}

static bool has_changed(const struct bench_value *old, const struct bench_value *now)
{
	if (isnan(old->median) || isnan(now->median))
		return isnan(old->median) != isnan(now->median);
	if (is_exact(old) && is_exact(now))
		return !is_same_number(old, now);
	return (old->high < now->low || now->high < old->low) &&
	       fabs(now->median - old->median) > REPORT_NOISE * fabs(old->median);
}

static void format_point(const struct bench_row *row, char *text, size_t bytes)
{
	size_t used = (size_t)snprintf(text, bytes, "%s", row->case_name);

	for (unsigned i = 0; i < row->n_keys && used < bytes; i++)
		used += (size_t)snprintf(text + used, bytes - used, " %s=%s", row->key[i].name,
					 row->key[i].value);
	if (used < bytes)
		snprintf(text + used, bytes - used, " %s", row->driver);
}

static void print_change(FILE *to, const struct bench_row *row, const struct bench_value *old,
			 const struct bench_value *now, const char *verdict)
{
	char point[PATH_BYTES], before[96], after[96];

	format_point(row, point, sizeof(point));
	report_format_value(old, before, sizeof(before));
	report_format_value(now, after, sizeof(after));
	fprintf(to, "%-6s  %s: %s: %s -> %s %s", verdict, point, now->metric, before, after,
		now->unit);
	if (old->median != 0)
		fprintf(to, " (%+.1f %%)", (now->median / old->median - 1) * 100);
	fputc('\n', to);
}

static void compare_value(FILE *to, const struct bench_row *row, const struct bench_value *old,
			  const struct bench_value *now, struct report_diff *diff)
{
	const enum direction d = find_direction(now->unit);
	const bool rose = now->median > old->median;

	if (!has_changed(old, now)) {
		diff->n_same++;
	} else if (d == NOT_JUDGED) {
		diff->n_other++;
		print_change(to, row, old, now, "other");
	} else if (rose == (d == MORE_IS_BETTER)) {
		diff->n_better++;
		print_change(to, row, old, now, "better");
	} else {
		diff->n_worse++;
		print_change(to, row, old, now, "WORSE");
	}
}

static void compare_row(FILE *to, const struct bench_row *old, const struct bench_row *now,
			bool exact_only, struct report_diff *diff)
{
	char point[PATH_BYTES];

	format_point(now, point, sizeof(point));
	if (strcmp(old->function, now->function) && !now->missing[0])
		fprintf(to, "other   %s: function: %s -> %s\n", point, old->function,
			now->function);
	for (unsigned i = 0; i < old->n_values; i++) {
		const struct bench_value *v = bench_row_get_value(now, old->value[i].metric);

		if (v && exact_only && !(is_exact(&old->value[i]) && is_exact(v))) {
			diff->n_not_judged++;
			continue;
		}
		if (v) {
			compare_value(to, now, &old->value[i], v, diff);
			continue;
		}
		diff->n_worse++;
		fprintf(to, "WORSE   %s: %s: no longer measured%s%s\n", point, old->value[i].metric,
			now->missing[0] ? ": " : "", now->missing);
	}
}

void report_diff_print(FILE *to, const struct bench_table *old, const struct bench_table *now,
		       bool exact_only, struct report_diff *diff)
{
	*diff = (struct report_diff){ 0 };
	for (size_t i = 0; i < now->n_rows; i++) {
		const struct bench_row *before = find_point(old, &now->row[i]);

		if (before)
			compare_row(to, before, &now->row[i], exact_only, diff);
		else
			diff->n_new++;
	}
	for (size_t i = 0; i < old->n_rows; i++)
		diff->n_left_out += !find_point(now, &old->row[i]);
	fprintf(to,
		"%u worse, %u better, %u other changes, %u within the noise; "
		"%u rows are new, %u rows of the old run were not measured\n",
		diff->n_worse, diff->n_better, diff->n_other, diff->n_same, diff->n_new,
		diff->n_left_out);
	if (exact_only)
		fprintf(to, "%u values with an interval were not compared: another CPU\n",
			diff->n_not_judged);
}
