/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/targets.h"
#include "rows.h"

#define TARGETS(list)                                                                              \
	"{\"schema\": \"devx-bench-targets\", \"version\": 1, \"targets\": [" list "]}"
#define RX                                                                                         \
	"\"path\": \"Rx\", \"select\": \"cycles/rx\", \"case\": \"cycles/rx\", \"keys\": "         \
	"{\"burst\": \"64\"}, \"metric\": \"tsc_cycles_per_packet\""

static struct report_targets targets;
static struct report_verdicts verdicts;

static void print_targets(FILE *to, const struct bench_table *table)
{
	report_targets_print(to, &targets, table, &verdicts);
}

/* Judges net_devx with 10 cycles and net_mlx5 with @rival; 0: the row of net_mlx5 is missing. */
static char *judge_rows(const char *file, double rival)
{
	struct bench_row devx = rows_make("64", 10, 0.1, 44),
			 mlx5 = rows_make("64", rival, 0.1, 90);
	struct bench_row other = rows_make("32", 1, 0.1, 1);
	struct bench_table table = { 0 };
	char why[200] = "", *text;

	if (report_targets_read(rows_write_file(file), &targets, why, sizeof(why)))
		ADD_FAILURE("%s", why);
	strcpy(mlx5.driver, "net_mlx5");
	if (!rival) {
		mlx5.n_values = 0;
		strcpy(mlx5.missing, "no netdev");
	}
	bench_table_add(&table, &other);
	bench_table_add(&table, &devx);
	bench_table_add(&table, &mlx5);
	text = rows_print(&table, print_targets);
	bench_table_free(&table);
	return text;
}

static const struct verdict_row {
	const char *name;
	double rival;
	const char *text;
	unsigned n_stretch, n_ship, n_missed, n_unavailable;
} known[] = {
	{ "stretch", 25, "0.40  <= 0.55x   met (stretch)\n", 1, 0, 0, 0 },
	{ "ship", 20, "0.50  <= 0.55x   met\n", 0, 1, 0, 0 },
	{ "missed", 10, "1.00  <= 0.55x   MISSED\n", 0, 0, 1, 0 },
	{ "no_rival", 0, "not available: no netdev\n", 0, 0, 0, 1 },
};

TEST_EACH(targets, compare_with_the_rival, struct verdict_row, known)
{
	char *text = judge_rows(TARGETS("{" RX ", \"rival\": \"net_mlx5\", \"ship\": 0.55, "
					"\"stretch\": 0.42}"),
				row->rival);

	EXPECT_SUBSTR(row->text, text);
	EXPECT_EQ(row->n_stretch, verdicts.n_stretch);
	EXPECT_EQ(row->n_ship, verdicts.n_ship);
	EXPECT_EQ(row->n_missed, verdicts.n_missed);
	EXPECT_EQ(row->n_unavailable, verdicts.n_unavailable);
	free(text);
}

TEST(targets, limit_a_value_that_has_no_rival)
{
	char *text = judge_rows(TARGETS("{" RX ", \"ship\": 12}, {" RX ", \"ship\": 9}"), 20);

	EXPECT_EQ(1, verdicts.n_ship);
	EXPECT_EQ(1, verdicts.n_missed);
	EXPECT_SUBSTR("20          10    0.50  <= 12      met\n", text);
	EXPECT_SUBSTR("20          10    0.50  <= 9       MISSED\n", text);
	free(text);
}

TEST(targets, tell_the_reason_why_a_path_is_not_available)
{
	char *text =
		judge_rows(TARGETS("{\"path\": \"Rx, compressed\", \"unavailable\": \"emu does "
				   "not compress\", \"ship\": 0.5}, {\"path\": \"Rx\", \"select\": "
				   "\"x\", \"case\": \"x\", \"metric\": \"m\", \"ship\": 1}"),
			   20);

	EXPECT_EQ(2, verdicts.n_unavailable);
	EXPECT_SUBSTR("not available: emu does not compress\n", text);
	EXPECT_SUBSTR("not available: no case measured this point\n", text);
	free(text);
}

static const struct bad_targets {
	const char *name, *text, *why;
} bad[] = {
	{ "no_json", "path,ship\n", "not JSON" },
	{ "rows_of_a_run", "{\"schema\": \"devx-bench\", \"version\": 1, \"rows\": []}",
	  "not the targets of devx-bench" },
	{ "no_path", TARGETS("{\"ship\": 1}"), "target 0: no string \"path\"" },
	{ "no_limit", TARGETS("{" RX "}"), "target 0: needs ship > 0" },
	{ "stretch_above_ship", TARGETS("{" RX ", \"ship\": 1, \"stretch\": 2}"),
	  "target 0: needs ship > 0, and stretch at most ship" },
	{ "no_metric",
	  TARGETS("{\"path\": \"p\", \"ship\": 1, \"select\": \"s\", \"case\": \"c\"}"),
	  "target 0: no string \"metric\"" },
};

TEST_EACH(targets, refuse, struct bad_targets, bad)
{
	char why[200] = "";

	EXPECT_EQ(-EINVAL,
		  report_targets_read(rows_write_file(row->text), &targets, why, sizeof(why)));
	EXPECT_SUBSTR(row->why, why);
}
