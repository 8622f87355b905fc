/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include "report/diff.h"
#include "rows.h"

static struct report_diff diff;
static struct bench_table old;
static bool exact_only;

static void print_diff(FILE *to, const struct bench_table *now)
{
	report_diff_print(to, &old, now, exact_only, &diff);
}

/* Compares two runs of one row. Return: the text, which the caller frees */
static char *compare_rows(const struct bench_row *before, const struct bench_row *after)
{
	struct bench_table now = { 0 };
	char *text;

	bench_table_add(&old, before);
	bench_table_add(&now, after);
	text = rows_print(&now, print_diff);
	bench_table_free(&old);
	bench_table_free(&now);
	return text;
}

static const struct change {
	const char *name;
	double before, half_before, after, half_after, count_before, count_after;
	unsigned n_worse, n_better, n_same;
	const char *text;
} changes[] = {
	{ "nothing", 17, 1, 17, 1, 44, 44, 0, 0, 2, "0 worse, 0 better" },
	{ "within_the_intervals", 17, 1, 18.5, 1, 44, 44, 0, 0, 2, "0 worse" },
	{ "less_than_two_runs_differ", 17, 0.1, 17.5, 0.1, 44, 44, 0, 0, 2, "0 worse" },
	{ "slower", 17, 0.1, 19, 0.1, 44, 44, 1, 0, 1,
	  "WORSE   cycles/rx burst=64 size=60 net_devx: tsc_cycles_per_packet: 17 (16.90-17.10) -> "
	  "19 (18.90-19.10) cycles/packet (+11.8 %)\n" },
	{ "faster", 17, 0.1, 15, 0.1, 44, 44, 0, 1, 1, "better  cycles/rx" },
	{ "one_instruction_more", 17, 0.1, 17, 0.1, 44, 45, 1, 0, 1,
	  "instructions_per_packet: 44 -> 45 instructions/packet (+2.3 %)" },
	{ "a_fraction_of_an_instruction_less", 17, 0.1, 17, 0.1, 44.125, 44, 0, 1, 1,
	  "44.12 -> 44 " },
	{ "an_instruction_in_two_thousand", 17, 0.1, 17, 0.1, 43.77, 43.79, 0, 0, 2, "0 worse" },
};

TEST_EACH(diff, judges, struct change, changes)
{
	const struct bench_row before =
		rows_make("64", row->before, row->half_before, row->count_before);
	const struct bench_row after =
		rows_make("64", row->after, row->half_after, row->count_after);
	char *text = compare_rows(&before, &after);

	EXPECT_EQ(row->n_worse, diff.n_worse);
	EXPECT_EQ(row->n_better, diff.n_better);
	EXPECT_EQ(row->n_same, diff.n_same);
	EXPECT_SUBSTR(row->text, text);
	free(text);
}

TEST(diff, compares_counts_to_the_digits_that_json_keeps)
{
	struct bench_row before = rows_make("64", 17, 0.1, 44), after = before;

	before.n_values = after.n_values = 0;
	bench_row_exact(&before, "dma_bytes", "bytes/packet", 44.1234567891);
	bench_row_exact(&after, "dma_bytes", "bytes/packet", 44.1234568);
	free(compare_rows(&before, &after));
	EXPECT_EQ(1, diff.n_same);
	after.value[0].median = after.value[0].low = after.value[0].high = 44.1235;
	free(compare_rows(&before, &after));
	EXPECT_EQ(1, diff.n_worse);
}

TEST(diff, takes_a_higher_rate_for_better_and_judges_no_ratio)
{
	struct bench_row before = rows_make("64", 17, 0.1, 44), after = before;
	char *text;

	before.n_values = after.n_values = 0;
	bench_row_exact(&before, "rate", "packets/s", 100);
	bench_row_exact(&after, "rate", "packets/s", 90);
	bench_row_exact(&before, "to_mlx5", "ratio", 1);
	bench_row_exact(&after, "to_mlx5", "ratio", 2);
	text = compare_rows(&before, &after);
	EXPECT_SUBSTR("WORSE   cycles/rx burst=64 size=60 net_devx: rate: 100 -> 90", text);
	EXPECT_SUBSTR("other   cycles/rx burst=64 size=60 net_devx: to_mlx5: 1 -> 2", text);
	EXPECT_EQ(1, diff.n_worse);
	EXPECT_EQ(1, diff.n_other);
	free(text);
}

TEST(diff, allows_noise_of_cycles_without_an_interval)
{
	struct bench_row before = rows_make("64", 17, 0.1, 44), after = before;

	before.n_values = after.n_values = 0;
	bench_row_exact(&before, "best_tsc_cycles", "cycles/packet", 10);
	bench_row_exact(&after, "best_tsc_cycles", "cycles/packet", 10.4);
	free(compare_rows(&before, &after));
	EXPECT_EQ(1, diff.n_same);
	after.value[0].median = after.value[0].low = after.value[0].high = 10.6;
	free(compare_rows(&before, &after));
	EXPECT_EQ(1, diff.n_worse);
}

TEST(diff, takes_a_row_that_lost_its_values_for_worse)
{
	const struct bench_row before = rows_make("64", 17, 0.1, 44);
	struct bench_row after = before;
	char *text;

	after.n_values = 0;
	strcpy(after.missing, "the port does not start");
	text = compare_rows(&before, &after);
	EXPECT_EQ(2, diff.n_worse);
	EXPECT_SUBSTR("tsc_cycles_per_packet: no longer measured: the port does not start", text);
	free(text);
}

TEST(diff, counts_rows_of_one_run_only)
{
	const struct bench_row before = rows_make("64", 17, 0.1, 44);
	const struct bench_row after = rows_make("32", 17, 0.1, 44);
	char *text = compare_rows(&before, &after);

	EXPECT_EQ(1, diff.n_new);
	EXPECT_EQ(1, diff.n_left_out);
	EXPECT_EQ(0, diff.n_worse);
	free(text);
}

TEST(diff, compares_only_exact_values_of_another_cpu)
{
	const struct bench_row before = rows_make("64", 17, 0.1, 44);
	const struct bench_row after = rows_make("64", 30, 0.1, 45);
	char *text;

	exact_only = true;
	text = compare_rows(&before, &after);
	exact_only = false;
	EXPECT_EQ(1, diff.n_worse);
	EXPECT_EQ(1, diff.n_not_judged);
	EXPECT_SUBSTR("1 values with an interval were not compared: another CPU", text);
	free(text);
}
