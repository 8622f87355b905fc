/* SPDX-License-Identifier: BSD-3-Clause */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "needs_emu.h"
#include "quiet_fork.h"
#include "verbs_rig.h"

/* The clock page, which libmlx5 maps and reads. */

enum { PAUSE_MS = 100, WAIT_MS = 5000 };

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

/*
 * Waits until the engine of emu, which needs a CPU for it, has written another value than @from.
 * Returns the value, which is new.
 */
static uint64_t read_new_cycles(struct ibv_context *ctx, uint64_t from)
{
	const uint64_t end = get_system_ns() + WAIT_MS * 1000000ull;
	uint64_t cycles = from;

	while (cycles == from && get_system_ns() < end)
		cycles = read_cycles(ctx);
	return cycles;
}

/* Passes PAUSE_MS on a clock that the test holds. Return: cycles of that time */
static uint64_t count_held_cycles(const struct devx_emu_ctl *emu, struct ibv_context *ctx)
{
	uint64_t first;

	emu->clock(DEVX_EMU_CLOCK_HELD, 0);
	first = read_cycles(ctx);
	EXPECT_NE(0, first);
	EXPECT_EQ(first, read_cycles(ctx));
	emu->clock(DEVX_EMU_CLOCK_HELD, PAUSE_MS * 1000000);
	return read_cycles(ctx) - first;
}

static void measure_frequency(struct ibv_context *ctx, uint64_t khz)
{
	const uint64_t before = get_system_ns();
	uint64_t cycles = read_new_cycles(ctx, read_cycles(ctx)), ns;

	ASSERT_NE(0, cycles);
	usleep(PAUSE_MS * 1000);
	cycles = read_new_cycles(ctx, read_cycles(ctx)) - cycles;
	ns = (uint64_t)((double)cycles * 1e6 / (double)khz);
	EXPECT_LT((uint64_t)PAUSE_MS * 900000, ns);
	EXPECT_GT((get_system_ns() - before) * 11 / 10, ns);
}

TEST(clock, raw_clock_runs_at_the_frequency_of_the_device)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct ibv_context *ctx = verbs_rig_open(true);
	struct ibv_device_attr_ex attr = { 0 };

	ASSERT_NE(NULL, ctx);
	ASSERT_EQ(0, ibv_query_device_ex(ctx, NULL, &attr));
	EXPECT_LT(0, attr.hca_core_clock); /* kHz */
	if (emu) {
		EXPECT_EQ(PAUSE_MS * attr.hca_core_clock, count_held_cycles(emu, ctx));
		emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	} else {
		measure_frequency(ctx, attr.hca_core_clock);
	}
	ibv_close_device(ctx);
}

/* ---- fork ---------------------------------------------------------------------------------- */

enum { TRY_MS = 10, TRIES = 2000 }; /* 20 seconds: a stepped clock that is idle waits for one */

static bool has_advanced(struct ibv_context *ctx)
{
	const uint64_t before = read_cycles(ctx);

	for (int i = 0; i < TRIES && read_cycles(ctx) <= before; i++)
		usleep(TRY_MS * 1000);
	return read_cycles(ctx) > before;
}

/* Also opens the device. Returns the exit status: 0: its clock is that of the parent process */
static int compare_clocks(struct ibv_context *parents)
{
	struct ibv_context *own = verbs_rig_open(true);
	uint64_t before, between, after;

	if (!own || !has_advanced(parents))
		return 1;
	before = read_cycles(parents);
	between = read_cycles(own);
	after = read_cycles(parents);
	if (between < before || after < between)
		return 2;
	if (devx_emu_ctl_find() && devx_emu_ctl_find()->clock(DEVX_EMU_CLOCK_HELD, 0))
		return 4; /* only the owner of the adapter can hold its clock */
	return ibv_close_device(own) ? 3 : 0;
}

static pid_t run_child(int (*run)(struct ibv_context *ctx), struct ibv_context *ctx)
{
	const pid_t pid = quiet_fork();

	if (!pid)
		_exit(run(ctx));
	return pid;
}

static int wait_for_child(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(clock, child_of_fork_reads_the_clock_of_its_parent)
{
	struct ibv_context *ctx = verbs_rig_open(true);

	ASSERT_NE(NULL, ctx);
	EXPECT_EQ(0, wait_for_child(run_child(compare_clocks, ctx)));
	EXPECT_TRUE(has_advanced(ctx));
	ibv_close_device(ctx);
}
