/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/targets.h"

#include <stdbool.h>
#include <string.h>

#include "report/grid.h"

#define USUAL_RIVAL "net_mlx5"

enum { WORD_BYTES = 48 };

static bool has_keys(const struct bench_row *row, const struct report_target *t)
{
	for (unsigned i = 0; i < t->n_keys; i++) {
		const char *value = bench_row_get_key(row, t->key[i].name);

		if (!value || strcmp(value, t->key[i].value))
			return false;
	}
	return true;
}

/*
 * Finds the value of one driver. If several rows match, such as several burst functions of a rival,
 * the lowest value counts: a driver is compared with the best function of the rival.
 */
static const struct bench_value *find_value(const struct bench_table *table,
					    const struct report_target *t, const char *driver,
					    const char **missing)
{
	const struct bench_value *best = NULL;

	for (size_t i = 0; i < table->n_rows; i++) {
		const struct bench_row *row = &table->row[i];
		const struct bench_value *v = bench_row_get_value(row, t->metric);

		if (strcmp(row->case_name, t->case_name) || strcmp(row->driver, driver) ||
		    !has_keys(row, t))
			continue;
		if (v && (!best || v->median < best->median))
			best = v;
		else if (!v && row->missing[0])
			*missing = row->missing;
	}
	return best;
}

static void print_line(FILE *to, const char *path, const char *metric, const char *rival,
		       const char *own, const char *ratio, const char *target, const char *verdict)
{
	fprintf(to, "%-26s  %-26s  %10s  %10s  %6s  %-9s  %s\n", path, metric, rival, own, ratio,
		target, verdict);
}

static const char *judge_value(const struct report_target *t, double v,
			       struct report_verdicts *verdicts)
{
	if (t->stretch > 0 && v <= t->stretch) {
		verdicts->n_stretch++;
		return "met (stretch)";
	}
	if (v <= t->ship) {
		verdicts->n_ship++;
		return "met";
	}
	verdicts->n_missed++;
	return "MISSED";
}

static void print_unavailable(FILE *to, const struct report_target *t, const char *target,
			      const char *why, struct report_verdicts *verdicts)
{
	char verdict[200];

	verdicts->n_unavailable++;
	snprintf(verdict, sizeof(verdict), "not available: %s", why);
	print_line(to, t->path, t->metric, "-", "-", "-", target, verdict);
}

/* For an absolute limit, also shows the value of net_mlx5, although nothing depends on it. */
static const struct bench_value *find_rival(const struct bench_table *table,
					    const struct report_target *t, const char **missing)
{
	const char *ignored;

	return t->rival[0] ? find_value(table, t, t->rival, missing)
			   : find_value(table, t, USUAL_RIVAL, &ignored);
}

static void print_target(FILE *to, const struct report_target *t, const struct bench_table *table,
			 struct report_verdicts *verdicts)
{
	const char *missing = "no case measured this point";
	const struct bench_value *own, *rival;
	char target[WORD_BYTES], ratio[WORD_BYTES] = "", own_text[WORD_BYTES];
	char rival_text[WORD_BYTES] = "";
	double quotient = 0;

	snprintf(target, sizeof(target), "<= %.4g%s", t->ship, t->rival[0] ? "x" : "");
	if (t->unavailable[0]) {
		print_unavailable(to, t, target, t->unavailable, verdicts);
		return;
	}
	own = find_value(table, t, t->driver, &missing);
	rival = find_rival(table, t, &missing);
	if (!own || (t->rival[0] && (!rival || !(rival->median > 0)))) {
		print_unavailable(to, t, target, missing, verdicts);
		return;
	}
	report_format_number(own->median, own_text, sizeof(own_text));
	if (rival && rival->median > 0) {
		quotient = own->median / rival->median;
		report_format_number(rival->median, rival_text, sizeof(rival_text));
		snprintf(ratio, sizeof(ratio), "%.2f", quotient);
	}
	print_line(to, t->path, t->metric, rival_text, own_text, ratio, target,
		   judge_value(t, t->rival[0] ? quotient : own->median, verdicts));
}

void report_targets_print(FILE *to, const struct report_targets *targets,
			  const struct bench_table *table, struct report_verdicts *verdicts)
{
	*verdicts = (struct report_verdicts){ 0 };
	print_line(to, "path", "metric", USUAL_RIVAL, "net_devx", "ratio", "target", "verdict");
	for (unsigned i = 0; i < targets->n; i++)
		print_target(to, &targets->target[i], table, verdicts);
	fprintf(to, "%u met (stretch), %u met, %u missed, %u not available\n", verdicts->n_stretch,
		verdicts->n_ship, verdicts->n_missed, verdicts->n_unavailable);
}
