/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <sys/wait.h>
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

/* ---- fork ---------------------------------------------------------------------------------- */

enum { TRY_MS = 10, TRIES = 500 }; /* 5 seconds: an engine waits for a CPU on a busy machine */

static bool has_advanced(struct ibv_context *ctx)
{
	const uint64_t before = read_cycles(ctx);

	for (int i = 0; i < TRIES && read_cycles(ctx) <= before; i++)
		usleep(TRY_MS * 1000);
	return read_cycles(ctx) > before;
}

/* Stops the parent process. Returns whether its clock stands still then, and @own runs on. */
static bool is_apart_from_parent(struct ibv_context *parents, struct ibv_context *own)
{
	const pid_t parent = getppid();
	bool apart = false;

	kill(parent, SIGSTOP); /* with the thread of its engine */
	for (int i = 0; i < TRIES && !apart; i++) {
		const uint64_t before = read_cycles(parents), own_before = read_cycles(own);

		usleep(TRY_MS * 1000);
		apart = read_cycles(parents) == before && read_cycles(own) > own_before;
	}
	kill(parent, SIGCONT);
	return apart;
}

/* Opens a device of its own beside that of its parent process. Returns the exit status. */
static int compare_clocks(struct ibv_context *parents)
{
	struct ibv_context *own = verbs_rig_open(true);

	if (!own || !read_cycles(own))
		return 1;
	if (!has_advanced(parents))
		return 2; /* what a child has mapped is the running clock of its parent */
	if (!is_apart_from_parent(parents, own))
		return 3;
	return ibv_close_device(own) ? 4 : 0;
}

static pid_t run_child(int (*run)(struct ibv_context *ctx), struct ibv_context *ctx)
{
	const pid_t pid = fork();

	if (!pid)
		_exit(run(ctx));
	return pid;
}

static int wait_for_child(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A parent that its child may stop: the test program itself has to run on. */
static int open_device_and_fork(struct ibv_context *unused)
{
	struct ibv_context *ctx = verbs_rig_open(true);

	(void)unused;
	return ctx ? wait_for_child(run_child(compare_clocks, ctx)) : 5;
}

TEST(clock, parent_and_child_of_fork_have_a_clock_each)
{
	NEEDS_EMU("because both processes have one device on a kernel");
	EXPECT_EQ(0, wait_for_child(run_child(open_device_and_fork, NULL)));
}
