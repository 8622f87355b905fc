/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The case cycles, with two drivers of known costs in place of net_devx and net_mlx5: the second
 * burns twice as many cycles. What the rows say must be these costs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/run.h"
#include "ct.h"
#include "harness/burn_pmd.h"
#include "harness/core.h"
#include "harness/port.h"
#include "needs_emu.h"

enum { COST = 80, BURST = 64, CALLS_OF_WINDOW = 512 / BURST, MIN_SAMPLES = 15 };

const struct bench_driver bench_drivers[BENCH_N_DRIVERS] = {
	[BENCH_MLX5] = { "net_mlx5", "vdev", "net_burn1", "", -1 },
	[BENCH_DEVX] = { "net_devx", "vdev", "net_burn0", "", -1 },
};

int __real_bench_lab_open(struct bench_lab *lab, const struct bench_run *run, char *why,
			  size_t why_bytes);
int __wrap_bench_lab_open(struct bench_lab *lab, const struct bench_run *run, char *why,
			  size_t why_bytes);

/* EAL starts once in a process, and each test runs the case. */
int __wrap_bench_lab_open(struct bench_lab *lab, const struct bench_run *run, char *why,
			  size_t why_bytes)
{
	static struct bench_lab opened;
	static bool open;
	int rc = 0;

	if (!open)
		rc = __real_bench_lab_open(&opened, run, why, why_bytes);
	open = !rc;
	*lab = opened;
	return rc;
}

FIXTURE(cycles)
{
	struct bench_table table;
	const struct bench_row *devx, *mlx5;
};

FIXTURE_SETUP(cycles)
{
	memset(self, 0, sizeof(*self));
	burn = (struct burn){ .cycles = COST };
}
FIXTURE_TEARDOWN(cycles)
{
	bench_table_free(&self->table);
}

/* Measures one point of both drivers, for @seconds at most. */
static void measure_point_for(struct ct_fix_cycles *self, const char *point, double seconds)
{
	static const volatile sig_atomic_t running;
	const struct bench_run run = { .stopped = &running,
				       .table = &self->table,
				       .filter = &point,
				       .n_filters = 1,
				       .time_limit_s = seconds,
				       .width = 1,
				       .quiet = true };

	ASSERT_EQ(0, bench_cycles.run((struct bench_run *)&run));
	ASSERT_EQ(2, self->table.n_rows);
	self->mlx5 = &self->table.row[0];
	self->devx = &self->table.row[1];
	ASSERT_STREQ("net_mlx5", self->mlx5->driver);
	ASSERT_STREQ("net_devx", self->devx->driver);
}

static void measure_point(struct ct_fix_cycles *self, const char *point)
{
	measure_point_for(self, point, 5);
}

static struct bench_value get_value(const struct bench_row *row, const char *metric)
{
	const struct bench_value *v = bench_row_get_value(row, metric);

	if (v)
		return *v;
	ADD_FAILURE("%s has no %s: %s", row->driver, metric, row->missing);
	return (struct bench_value){ 0 };
}

static void check_cost(const struct bench_row *row, double cost)
{
	const struct bench_value v = get_value(row, "tsc_cycles_per_packet");
	const double best = get_value(row, "best_tsc_cycles").median;

	SCOPED_TRACE("%s", row->driver);
	EXPECT_EQ(cost, v.median);
	EXPECT_EQ(cost, v.low);
	EXPECT_EQ(cost, v.high);
	EXPECT_GE(v.n_samples, MIN_SAMPLES);
	EXPECT_EQ(cost, best);
}

TEST_F(cycles, reports_what_each_driver_burns)
{
	static const char *const points[] = { "cycles/rx/burst=64/size=60/cache=hot/buffers=2048",
					      "cycles/tx/burst=64/size=60/cache=hot/buffers=2048" };

	for (int i = 0; i < 2; i++) {
		measure_point(self, points[i]);
		check_cost(self->devx, COST);
		check_cost(self->mlx5, 2 * COST);
		EXPECT_EQ(BURST, (int)get_value(self->devx, "packets_per_call").median);
		bench_table_free(&self->table);
	}
}

TEST_F(cycles, reports_the_ratio_with_its_interval)
{
	struct bench_value ratio;

	measure_point(self, "cycles/tx/burst=64/size=60/cache=hot/buffers=2048");
	ratio = get_value(self->devx, "ratio_to_net_mlx5");
	EXPECT_EQ(0.5, ratio.low);
	EXPECT_EQ(0.5, ratio.median);
	EXPECT_EQ(0.5, ratio.high);
	EXPECT_EQ(NULL, bench_row_get_value(self->mlx5, "ratio_to_net_mlx5"));
}

TEST_F(cycles, reports_core_cycles_by_the_rate_of_the_core)
{
	const double rate = bench_core_per_tsc();

	measure_point(self, "cycles/tx/burst=64/size=60/cache=hot/buffers=2048");
	EXPECT_EQ(COST * rate, get_value(self->devx, "core_cycles_per_packet").median);
	EXPECT_EQ(2 * COST * rate, get_value(self->mlx5, "core_cycles_per_packet").median);
}

/* An empty poll of net_burn costs nothing but the marks. */
TEST_F(cycles, leaves_the_cost_of_marks_out)
{
	burn = (struct burn){ .empty = 1 };
	measure_point(self, "cycles/rx_empty/*");
	EXPECT_EQ(0, get_value(self->devx, "best_tsc_cycles").median);
}

TEST_F(cycles, rejects_windows_with_a_long_call)
{
	burn.sleep_every = 3 * CALLS_OF_WINDOW + 1;
	measure_point(self, "cycles/tx/burst=64/size=60/cache=hot/buffers=2048");
	check_cost(self->devx, COST);
	check_cost(self->mlx5, 2 * COST);
	EXPECT_GE(get_value(self->devx, "tsc_cycles_per_packet").n_rejected +
			  get_value(self->mlx5, "tsc_cycles_per_packet").n_rejected,
		  5);
}

TEST_F(cycles, says_that_every_window_was_rejected)
{
	burn.sleep_every = CALLS_OF_WINDOW / 2;
	measure_point_for(self, "cycles/tx/burst=64/size=60/cache=hot/buffers=2048", 0.2);
	EXPECT_SUBSTR("the core was taken away or slowed down, or calls took too long, in all ",
		      self->devx->missing);
	EXPECT_EQ(0, self->devx->n_values);
}

TEST_F(cycles, reports_short_bursts)
{
	burn.at_most = 5;
	measure_point(self, "cycles/rx/burst=64/size=60/cache=hot/buffers=2048");
	EXPECT_EQ(5, (int)get_value(self->devx, "packets_per_call").median);
	check_cost(self->devx, COST);
}

TEST_F(cycles, says_that_a_driver_returns_no_packets)
{
	burn.empty = 1;
	measure_point(self, "cycles/rx/burst=64/size=60/cache=hot/buffers=2048");
	EXPECT_SUBSTR("bursts of 64 return no packets, although packets are waiting",
		      self->devx->missing);
	EXPECT_EQ(0, self->devx->n_values);
}
