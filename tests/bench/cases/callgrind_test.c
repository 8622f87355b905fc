/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of callgrind. callgrind_run() starts this program again, with the same test.
 */
#include "cases/instructions_callgrind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ct.h"
#include "harness/gauge.h"

#define LAST_WINDOW "BENCH_TEST_LAST_WINDOW" /* what the process under callgrind does at its end */

enum { N_MARKS = 100, N_TURNS = 100, N_PACKETS = 32 };

static void count_empty_marks(void)
{
	const struct callgrind_count empty = { .n_calls = N_MARKS };

	callgrind_begin();
	for (int i = 0; i < N_MARKS; i++)
		bench_gauge_end(BENCH_CALLGRIND, bench_gauge_begin(BENCH_CALLGRIND));
	callgrind_end();
	callgrind_write_count(&empty);
}

/* Two instructions a turn. */
static __attribute__((noinline)) void run_loop(uint64_t turns)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns)::"cc");
}

static void count_loop(unsigned int burst, uint64_t turns)
{
	const struct callgrind_count count = { .path = 3,
					       .burst = burst,
					       .n_packets = N_PACKETS,
					       .n_calls = 1,
					       .function = "AVX2, a loop" };

	callgrind_begin();
	bench_gauge_begin(BENCH_CALLGRIND);
	run_loop(turns);
	bench_gauge_end(BENCH_CALLGRIND, 0);
	callgrind_end();
	callgrind_write_count(&count);
}

static void execute_avx512(void)
{
#ifdef __x86_64__
	__asm__ volatile("vpaddq %%zmm1, %%zmm0, %%zmm0" ::: "xmm0");
#endif
}

/* In the process under callgrind: counts three windows, and ends. */
static void run_under_callgrind(void)
{
	if (!callgrind_is_running())
		return;
	count_empty_marks();
	count_loop(8, N_TURNS);
	count_loop(16, 10 * N_TURNS);
	if (getenv(LAST_WINDOW))
		execute_avx512();
	_exit(0);
}

FIXTURE(callgrind)
{
	struct callgrind_count *counts;
	unsigned int n;
	char why[200];
};

FIXTURE_SETUP(callgrind)
{
	run_under_callgrind();
	self->counts = NULL;
	self->n = 0;
	self->why[0] = '\0';
}
FIXTURE_TEARDOWN(callgrind)
{
	free(self->counts);
	unsetenv(LAST_WINDOW);
}

static void check_counts(const struct callgrind_count *counts, unsigned int n)
{
	ASSERT_EQ(3, n);
	EXPECT_EQ(N_MARKS, counts[0].n_calls);
	EXPECT_EQ(2 * 9 * N_TURNS, counts[2].n_instructions - counts[1].n_instructions);
	EXPECT_EQ(3, counts[1].path);
	EXPECT_EQ(8, counts[1].burst);
	EXPECT_EQ(16, counts[2].burst);
	EXPECT_EQ(N_PACKETS, counts[1].n_packets);
	EXPECT_STREQ("AVX2, a loop", counts[1].function);
}

TEST_F(callgrind, counts_a_window_with_its_label)
{
	const int rc = callgrind_run(&self->counts, &self->n, self->why, sizeof(self->why));

	if (rc == -ENOENT)
		SKIP("%s", self->why);
	EXPECT_EQ(0, rc);
	check_counts(self->counts, self->n);
}

TEST_F(callgrind, files_are_in_tmpdir)
{
	const char *before = getenv("TMPDIR");
	char kept[512] = "";
	int rc;

	snprintf(kept, sizeof(kept), "%s", before ? before : "");
	setenv("TMPDIR", "/nowhere", 1);
	rc = callgrind_run(&self->counts, &self->n, self->why, sizeof(self->why));
	if (before)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	if (rc == -ENOENT)
		SKIP("%s", self->why);
	EXPECT_EQ(-EIO, rc);
	EXPECT_SUBSTR("/nowhere/devx-bench-", self->why);
}

TEST_F(callgrind, keeps_the_counts_before_an_instruction_of_avx512)
{
	int rc;

	setenv(LAST_WINDOW, "AVX-512", 1);
	rc = callgrind_run(&self->counts, &self->n, self->why, sizeof(self->why));
	if (rc == -ENOENT)
		SKIP("%s", self->why);
	EXPECT_EQ(-EIO, rc);
	EXPECT_SUBSTR("valgrind does not know an instruction of this program (AVX-512?)",
		      self->why);
	check_counts(self->counts, self->n);
}
