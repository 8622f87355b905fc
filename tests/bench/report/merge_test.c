/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "report/table.h"
#include "rows.h"

FIXTURE(merge)
{
	struct bench_table now, other;
	struct report_grid grid;
};

FIXTURE_SETUP(merge)
{
	memset(self, 0, sizeof(*self));
}
FIXTURE_TEARDOWN(merge)
{
	bench_table_free(&self->now);
	bench_table_free(&self->other);
	report_grid_free(&self->grid);
}

static void add_count(struct bench_table *table, const char *driver, const char *burst,
		      const char *method, double count)
{
	struct bench_row row = { .case_name = "instructions/rx" };

	strcpy(row.driver, driver);
	bench_row_key(&row, "burst", "%s", burst);
	bench_row_key(&row, "method", "%s", method);
	bench_row_exact(&row, "instructions_per_packet", "instructions/packet", count);
	bench_table_add(table, &row);
}

static void add_cycles(struct bench_table *table, const char *driver, double cycles)
{
	struct bench_row row = rows_make("32", cycles, 1, 50);

	strcpy(row.driver, driver);
	row.n_values = 1;
	bench_table_add(table, &row);
}

static int merge_runs(struct bench_table *now, struct bench_table *other, struct report_grid *grid)
{
	const struct report_run here = { now, "DPDK 22.11.11" }, there = { other, "DPDK 25.11.4" };

	return report_merge(&here, &there, grid);
}

TEST_F(merge, divides_net_devx_by_every_other_driver)
{
	add_count(&self->now, "net_mlx5", "32", "callgrind", 100);
	add_count(&self->now, "net_devx", "32", "callgrind", 50);
	add_count(&self->other, "net_mlx5", "32", "callgrind", 200);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	ASSERT_EQ(2, self->grid.n_lines);
	ASSERT_EQ(6, self->grid.n_columns);
	EXPECT_STREQ("net_devx 22.11.11", report_grid_cell(&self->grid, 0, 1));
	EXPECT_STREQ("net_mlx5 25.11.4", report_grid_cell(&self->grid, 0, 3));
	EXPECT_STREQ("ratio to net_mlx5 25.11.4", report_grid_cell(&self->grid, 0, 5));
	EXPECT_STREQ("instructions/rx/burst=32", report_grid_cell(&self->grid, 1, 0));
	EXPECT_STREQ("50", report_grid_cell(&self->grid, 1, 1));
	EXPECT_STREQ("200", report_grid_cell(&self->grid, 1, 3));
	EXPECT_STREQ("0.50", report_grid_cell(&self->grid, 1, 4));
	EXPECT_STREQ("0.25", report_grid_cell(&self->grid, 1, 5));
}

TEST_F(merge, gives_cycles_of_two_processes_no_ratio)
{
	add_cycles(&self->now, "net_devx", 20);
	add_cycles(&self->other, "net_mlx5", 40);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	ASSERT_EQ(2, self->grid.n_lines);
	ASSERT_EQ(3, self->grid.n_columns);
	EXPECT_STREQ("20", report_grid_cell(&self->grid, 1, 1));
	EXPECT_STREQ("40", report_grid_cell(&self->grid, 1, 2));
}

TEST_F(merge, leaves_the_ratio_of_cycles_empty_beside_instructions)
{
	add_cycles(&self->now, "net_devx", 20);
	add_cycles(&self->other, "net_mlx5", 40);
	add_count(&self->now, "net_devx", "32", "callgrind", 50);
	add_count(&self->other, "net_mlx5", "32", "callgrind", 100);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	ASSERT_EQ(3, self->grid.n_lines);
	ASSERT_EQ(4, self->grid.n_columns);
	EXPECT_STREQ("", report_grid_cell(&self->grid, 1, 3));
	EXPECT_STREQ("0.50", report_grid_cell(&self->grid, 2, 3));
}

/* callgrind counts the function that a driver chooses on the processor that valgrind shows. */
TEST_F(merge, takes_single_steps_before_callgrind)
{
	add_count(&self->now, "net_devx", "32", "callgrind", 50);
	add_count(&self->now, "net_devx", "32", "step", 30);
	add_count(&self->other, "net_mlx5", "32", "step", 60);
	add_count(&self->other, "net_mlx5", "32", "callgrind", 90);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	ASSERT_EQ(2, self->grid.n_lines);
	EXPECT_STREQ("30", report_grid_cell(&self->grid, 1, 1));
	EXPECT_STREQ("60", report_grid_cell(&self->grid, 1, 2));
	EXPECT_STREQ("0.50", report_grid_cell(&self->grid, 1, 3));
}

TEST_F(merge, leaves_out_points_of_one_run)
{
	add_count(&self->now, "net_devx", "32", "step", 30);
	add_count(&self->other, "net_mlx5", "64", "step", 60);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	EXPECT_EQ(0, self->grid.n_lines);
}

/* A run of net_mlx5 alone gets net_devx from the other run, as where net_devx cannot be built. */
TEST_F(merge, takes_net_devx_from_the_other_run)
{
	add_count(&self->now, "net_mlx5", "32", "callgrind", 80);
	add_count(&self->other, "net_devx", "32", "callgrind", 40);
	ASSERT_EQ(0, merge_runs(&self->now, &self->other, &self->grid));
	ASSERT_EQ(4, self->grid.n_columns);
	EXPECT_STREQ("net_devx 25.11.4", report_grid_cell(&self->grid, 0, 1));
	EXPECT_STREQ("0.50", report_grid_cell(&self->grid, 1, 3));
}

static void print_grid(FILE *to, const struct bench_table *table)
{
	struct report_grid grid;

	(void)table;
	report_grid_alloc(&grid, 2, 1);
	grid.separator = ' ';
	strcpy(grid.cell[0], "ratio to net_mlx5 25.11.4");
	strcpy(grid.cell[1], "1");
	report_grid_print(to, &grid);
	report_grid_free(&grid);
}

TEST(grid, breaks_a_heading_at_its_separator)
{
	char *text = rows_print(NULL, print_grid);

	EXPECT_STREQ("ratio to\nnet_mlx5\n25.11.4\n1\n", text);
	free(text);
}
