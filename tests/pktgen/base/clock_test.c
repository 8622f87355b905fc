/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"

#include <ct.h>

enum { HZ = 3000000 };

static uint64_t now, waited_us;
static unsigned n_idle;

static uint64_t read_now(void)
{
	return now++;
}

static void note_wait(uint64_t us)
{
	waited_us += us;
}

static void note_idle(void)
{
	n_idle++;
}

TEST(clock, is_the_tsc_unless_a_test_replaces_it)
{
	const uint64_t before = rte_rdtsc(), read = clock_read(), after = rte_rdtsc();

	EXPECT_TRUE(before <= read && read <= after);
}

TEST(clock, a_test_replaces_reads_frequency_and_waits)
{
	static const struct clock_source source = { HZ, read_now, note_wait, note_idle };
	struct run_clock c;

	now = 7000;
	pktgen_clock_source = &source;
	EXPECT_EQ(HZ, clock_get_hz());
	clock_wait(10000);
	clock_yield();
	EXPECT_EQ(10000, waited_us);
	EXPECT_EQ(1, n_idle);
	c = run_clock_start();
	EXPECT_EQ(7000, c.start);
	EXPECT_EQ(7001, clock_read());
	pktgen_clock_source = NULL;
}

TEST(run_clock, converts_ticks_and_nanoseconds)
{
	const struct run_clock c = { 500, HZ, (1000000000ull << 32) / HZ };

	EXPECT_EQ(1000000000, run_clock_to_ns(&c, 500 + HZ));
	EXPECT_EQ(500 + 3, run_clock_to_tsc(&c, 1000));
	EXPECT_EQ(999, run_clock_ticks_to_ns(&c, 3)); /* @ns_per_tick is rounded down */
	EXPECT_EQ(333, run_clock_ticks_to_ns(&c, 1));
}
