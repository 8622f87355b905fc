/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json.h"
#include "rows.h"

static const struct report_about about = {
	.program = "0.1.0",
	.dpdk = "DPDK 22.11",
	.cpu = "a \"CPU\"",
	.time = "2026-11-22T00:00:00Z",
	.interrupted = true,
};

static void write_json(FILE *to, const struct bench_table *table)
{
	EXPECT_EQ(0, report_json_write(to, table, &about));
}

static void expect_same_value(const struct bench_value *want, const struct bench_value *got)
{
	EXPECT_STREQ(want->metric, got->metric);
	EXPECT_STREQ(want->unit, got->unit);
	EXPECT_TRUE(fabs(want->median - got->median) <= 1e-8 * fabs(want->median));
	EXPECT_TRUE(fabs(want->low - got->low) <= 1e-8 * fabs(want->low));
	EXPECT_TRUE(fabs(want->high - got->high) <= 1e-8 * fabs(want->high));
	EXPECT_EQ(want->n_samples, got->n_samples);
	EXPECT_EQ(want->n_rejected, got->n_rejected);
}

static void expect_same_row(const struct bench_row *want, const struct bench_row *got)
{
	EXPECT_STREQ(want->case_name, got->case_name);
	EXPECT_STREQ(want->driver, got->driver);
	EXPECT_STREQ(want->function, got->function);
	EXPECT_STREQ(want->missing, got->missing);
	ASSERT_EQ(want->n_keys, got->n_keys);
	for (unsigned i = 0; i < want->n_keys; i++) {
		EXPECT_STREQ(want->key[i].name, got->key[i].name);
		EXPECT_STREQ(want->key[i].value, got->key[i].value);
	}
	ASSERT_EQ(want->n_values, got->n_values);
	for (unsigned i = 0; i < want->n_values; i++)
		expect_same_value(&want->value[i], &got->value[i]);
}

TEST(json, gives_back_the_rows_that_were_written)
{
	struct bench_table table = { 0 }, back = { 0 };
	struct bench_row row = rows_make("64", 17.25, 0.1, 9007199254740991.0);
	struct report_about got;
	char why[200], *text;

	ASSERT_EQ(0, bench_table_add(&table, &row));
	row = rows_make("4", 1.0 / 3, 0.01, 44.125);
	strcpy(row.driver, "net_mlx5");
	ASSERT_EQ(0, bench_table_add(&table, &row));
	row.n_values = 0;
	strcpy(row.missing, "no netdev, \"quoted\"");
	ASSERT_EQ(0, bench_table_add(&table, &row));
	text = rows_print(&table, write_json);
	ASSERT_EQ(0, report_json_read(rows_write_file(text), &back, &got, why, sizeof(why)));
	ASSERT_EQ(3, back.n_rows);
	for (unsigned i = 0; i < 3; i++)
		expect_same_row(&table.row[i], &back.row[i]);
	EXPECT_EQ(9007199254740991.0, back.row[0].value[1].median);
	EXPECT_STREQ(about.cpu, got.cpu);
	EXPECT_STREQ(about.time, got.time);
	EXPECT_TRUE(got.interrupted);
	free(text);
	bench_table_free(&table);
	bench_table_free(&back);
}

TEST(json, adds_to_the_rows_of_the_table)
{
	struct bench_table table = { 0 };
	const struct bench_row row = rows_make("64", 17, 1, 44);
	struct report_about got;
	char why[200], *text;

	ASSERT_EQ(0, bench_table_add(&table, &row));
	text = rows_print(&table, write_json);
	ASSERT_EQ(0, report_json_read(rows_write_file(text), &table, &got, why, sizeof(why)));
	EXPECT_EQ(2, table.n_rows);
	free(text);
	bench_table_free(&table);
}

TEST(json, keeps_a_value_that_is_no_number)
{
	struct bench_table table = { 0 }, back = { 0 };
	struct bench_row row = rows_make("64", 17, 1, NAN);
	struct report_about got;
	char why[200], *text;

	ASSERT_EQ(0, bench_table_add(&table, &row));
	text = rows_print(&table, write_json);
	ASSERT_EQ(0, report_json_read(rows_write_file(text), &back, &got, why, sizeof(why)));
	EXPECT_TRUE(isnan(back.row[0].value[1].median));
	free(text);
	bench_table_free(&table);
	bench_table_free(&back);
}

static const struct bad_file {
	const char *name, *text, *why;
} bad_files[] = {
	{ "empty", "", "not JSON" },
	{ "no_json", "burst,cycles\n", "not JSON" },
	{ "no_object", "[]", "not written by devx-bench --json" },
	{ "other_schema", "{\"schema\": \"iperf\", \"version\": 1, \"rows\": []}",
	  "not written by devx-bench --json (its schema: \"iperf\")" },
	{ "later_version", "{\"schema\": \"devx-bench\", \"version\": 2, \"rows\": []}",
	  "schema version 2 (valid: 1); measure again" },
	{ "no_version", "{\"schema\": \"devx-bench\", \"rows\": []}", "schema version 0" },
	{ "no_rows", "{\"schema\": \"devx-bench\", \"version\": 1}", "no array \"rows\"" },
	{ "row_without_keys",
	  "{\"schema\": \"devx-bench\", \"version\": 1, \"rows\": [{\"case\": \"a\"}]}",
	  "row 0: needs case, driver, keys and values" },
	{ "number_as_key",
	  "{\"schema\": \"devx-bench\", \"version\": 1, \"rows\": [{\"case\": \"a\", \"driver\": "
	  "\"b\", \"keys\": {\"burst\": 64}, \"values\": {}}]}",
	  "row 0: key burst is not a string" },
	{ "too_many_keys",
	  "{\"schema\": \"devx-bench\", \"version\": 1, \"rows\": [{\"case\": \"a\", \"driver\": "
	  "\"b\", \"keys\": {\"1\":\"\",\"2\":\"\",\"3\":\"\",\"4\":\"\",\"5\":\"\",\"6\":\"\","
	  "\"7\":\"\",\"8\":\"\",\"9\":\"\"}, \"values\": {}}]}",
	  "row 0: 9 keys (valid: at most 8)" },
};

TEST_EACH(json, refuses, struct bad_file, bad_files)
{
	struct bench_table table = { 0 };
	struct report_about got;
	char why[200] = "";

	EXPECT_EQ(-EINVAL,
		  report_json_read(rows_write_file(row->text), &table, &got, why, sizeof(why)));
	EXPECT_SUBSTR(row->why, why);
	EXPECT_EQ(0, table.n_rows);
	bench_table_free(&table);
}

TEST(json, tells_why_a_file_cannot_be_read)
{
	struct bench_table table = { 0 };
	struct report_about got;
	char why[200] = "";

	EXPECT_EQ(-ENOENT, report_json_read("/nowhere/old.json", &table, &got, why, sizeof(why)));
	EXPECT_STREQ("cannot open it: No such file or directory", why);
}

static const struct unprintable {
	const char *name, *json, *why;
} unprintable[] = {
	{ "name", "{\"a\": [1, {\"b\\u001b[31m\": 1}]}",
	  "a control character in \"b\033[31m\"; remove it" },
	{ "text", "[[true, \"c\\u007f\"]]", "a control character in \"c\177\"; remove it" },
	{ "text_of_a_name", "{\"a\": 1, \"b\": \"\\n\", \"c\": 2}",
	  "a control character in \"\n\"; remove it" },
};

TEST_EACH(json, refuses_control_characters, struct unprintable, unprintable)
{
	char path[] = "/tmp/devx-bench-XXXXXX", why[200] = "";
	const int fd = mkstemp(path);
	struct bench_table table = { 0 };
	struct report_about got;

	ASSERT_EQ((ssize_t)strlen(row->json), write(fd, row->json, strlen(row->json)));
	close(fd);
	EXPECT_EQ(-EINVAL, report_json_read(path, &table, &got, why, sizeof(why)));
	EXPECT_STREQ(row->why, why);
	unlink(path);
}
