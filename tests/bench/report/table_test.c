/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include "report/csv.h"
#include "report/table.h"
#include "rows.h"

static struct bench_table make_table(void)
{
	struct bench_table table = { 0 };
	struct bench_row row = rows_make("64", 17.25, 0.1, 44);

	bench_table_add(&table, &row);
	row.n_values = 0;
	strcpy(row.driver, "net_mlx5");
	strcpy(row.missing, "no netdev, so \"none\"");
	bench_table_add(&table, &row);
	row = rows_make("1", 60, 0, 70);
	row.case_name = "cycles/tx";
	row.function[0] = '\0';
	row.value[0].n_rejected = 0;
	bench_table_add(&table, &row);
	return table;
}

static void expect_printed(const char *want,
			   void (*print)(FILE *to, const struct bench_table *table))
{
	struct bench_table table = make_table();
	char *text = rows_print(&table, print);

	EXPECT_STREQ(want, text);
	free(text);
	bench_table_free(&table);
}

static void print_table(FILE *to, const struct bench_table *table)
{
	EXPECT_EQ(0, report_table_print(to, table));
}

static void print_markdown(FILE *to, const struct bench_table *table)
{
	EXPECT_EQ(0, report_markdown_write(to, table));
}

static void print_csv(FILE *to, const struct bench_table *table)
{
	EXPECT_EQ(0, report_csv_write(to, table));
}

TEST(table, is_aligned_with_a_table_for_each_case)
{
	expect_printed(
		"cycles/rx\n"
		"burst  size  driver             tsc cycles  instructions  rejected windows  "
		"function\n"
		"                                per packet    per packet\n"
		"64     60    net_devx  17.25 (17.15-17.35)            44                 3  "
		"Scalar\n"
		"64     60    net_mlx5                                                    0  not "
		"measured: no netdev, so \"none\"\n"
		"\n"
		"cycles/tx\n"
		"burst  size  driver    tsc cycles  instructions\n"
		"                       per packet    per packet\n"
		"1      60    net_devx          60            70\n",
		print_table);
}

TEST(markdown, has_a_heading_and_a_table_for_each_case)
{
	expect_printed("## cycles/rx\n\n"
		       "| burst | size | driver | tsc_cycles_per_packet | instructions_per_packet "
		       "| rejected windows | function |\n"
		       "|---|---|---|---:|---:|---:|---|\n"
		       "| 64 | 60 | net_devx | 17.25 (17.15-17.35) | 44 | 3 | Scalar |\n"
		       "| 64 | 60 | net_mlx5 |  |  | 0 | not measured: no netdev, so \"none\" |\n"
		       "\n## cycles/tx\n\n"
		       "| burst | size | driver | tsc_cycles_per_packet | instructions_per_packet "
		       "|\n"
		       "|---|---|---|---:|---:|\n"
		       "| 1 | 60 | net_devx | 60 | 70 |\n",
		       print_markdown);
}

TEST(csv, has_a_line_for_each_value)
{
	expect_printed(
		"case,driver,function,burst,size,metric,unit,median,low,high,samples,rejected,"
		"missing\n"
		"cycles/rx,net_devx,Scalar,64,60,tsc_cycles_per_packet,cycles/"
		"packet,17.25,17.15,17.35,20,3,\n"
		"cycles/rx,net_devx,Scalar,64,60,instructions_per_packet,instructions/"
		"packet,44,44,44,1,0,\n"
		"cycles/rx,net_mlx5,Scalar,64,60,,,,,,,,\"no netdev, so \"\"none\"\"\"\n"
		"cycles/tx,net_devx,,1,60,tsc_cycles_per_packet,cycles/packet,60,60,60,20,0,\n"
		"cycles/tx,net_devx,,1,60,instructions_per_packet,instructions/"
		"packet,70,70,70,1,0,\n",
		print_csv);
}
