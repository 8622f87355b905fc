/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>
#include <unistd.h>

#include "verbs_rig.h"

/* The clock page, which libmlx5 maps and reads. */

enum { PAUSE_MS = 100 };

static uint64_t get_system_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the raw clock of the device in cycles; 0: libmlx5 has no clock. */
static uint64_t read_cycles(struct ibv_context *ctx)
{
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };

	if (ibv_query_rt_values_ex(ctx, &values) || !(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
		return 0;
	return (uint64_t)values.raw_clock.tv_nsec;
}

TEST(clock, raw_clock_runs_at_the_frequency_of_the_device)
{
	struct ibv_context *ctx = verbs_rig_open(true);
	struct ibv_device_attr_ex attr = { 0 };
	uint64_t cycles, before, after, ns;

	ASSERT_NE(NULL, ctx);
	ASSERT_EQ(0, ibv_query_device_ex(ctx, NULL, &attr));
	EXPECT_LT(0, attr.hca_core_clock); /* kHz */
	before = get_system_ns();
	cycles = read_cycles(ctx);
	ASSERT_NE(0, cycles);
	usleep(PAUSE_MS * 1000);
	cycles = read_cycles(ctx) - cycles;
	after = get_system_ns();
	ns = (uint64_t)((double)cycles * 1e6 / (double)attr.hca_core_clock);
	EXPECT_LT((uint64_t)PAUSE_MS * 900000, ns);
	EXPECT_GT((after - before) * 11 / 10, ns);
	ibv_close_device(ctx);
}
