/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/device_clock.h"

#include <ct.h>

/*
 * A device whose clock has 5 cycles in 64 ticks of the TSC, and began at tick 1,000,000. The clock
 * is read every 320,000 ticks.
 */
enum { TICKS = 64, CYCLES = 5, BEGAN = 1000000, STEP = 320000 };

static uint64_t get_cycles(uint64_t tsc)
{
	return (tsc - BEGAN) * CYCLES / TICKS;
}

/* Makes a reading at @tsc that says @off ticks more, with error @error. */
static struct clock_reading make_reading(uint64_t tsc, int64_t off, uint64_t error)
{
	return (struct clock_reading){ get_cycles(tsc), tsc + (uint64_t)off, error };
}

static void add_reading(struct device_clock *c, uint64_t tsc, int64_t off, uint64_t error)
{
	const struct clock_reading r = make_reading(tsc, off, error);

	device_clock_add(c, &r);
}

/* Returns by how many ticks the newest line is wrong at @tsc. */
static int64_t find_error(const struct device_clock *c, uint64_t tsc)
{
	const struct clock_line line = device_clock_get_line(c);

	return (int64_t)(clock_line_to_tsc(&line, get_cycles(tsc)) - tsc);
}

static void expect_near(int64_t want, int64_t got)
{
	EXPECT_LE(want - TICKS / CYCLES - 1, got);
	EXPECT_GE(want + TICKS / CYCLES + 1, got);
}

TEST(device_clock, converts_times_before_and_after_its_readings)
{
	struct device_clock c = { 0 };
	const uint64_t start = 500 * (uint64_t)STEP;

	for (unsigned i = 0; i < 3 * DEVICE_CLOCK_READINGS; i++)
		add_reading(&c, start + i * STEP, 0, 50);
	expect_near(0, find_error(&c, start));
	expect_near(0, find_error(&c, start + 3 * DEVICE_CLOCK_READINGS * STEP));
	expect_near(0, find_error(&c, start + 30ull * DEVICE_CLOCK_READINGS * STEP));
	/* the error of a reading, and a cycle */
	EXPECT_LE(50u, c.error);
	EXPECT_GE(50u + 2 * TICKS / CYCLES, c.error);
}

TEST(device_clock, tells_how_far_the_line_was_from_the_next_reading)
{
	struct device_clock c = { 0 };

	add_reading(&c, 10 * STEP, 0, 100);
	add_reading(&c, 11 * STEP, 0, 100);
	EXPECT_EQ(0u, c.error);
	/* The line may be wrong by 100 + 2 * 100. This reading is more exact. */
	add_reading(&c, 12 * STEP, -250, 20);
	expect_near(270, (int64_t)c.error);
	expect_near(-250, find_error(&c, 12 * STEP));
}

TEST(device_clock, takes_no_reading_that_is_less_exact_than_the_line)
{
	struct device_clock c = { 0 };

	add_reading(&c, 10 * STEP, 0, 100);
	add_reading(&c, 11 * STEP, 0, 100);
	add_reading(&c, 12 * STEP, 5000, 5000);
	expect_near(0, find_error(&c, 12 * STEP));
	/* 100 at the last reading, 200 more per step, and this reading was 5,000 ticks late. */
	EXPECT_EQ(100u + 200u * (STEP + 5000) / STEP, c.error);
	add_reading(&c, 40 * STEP, 5000, 5000);
	expect_near(5000, find_error(&c, 40 * STEP));
}

TEST(device_clock, keeps_the_line_if_the_clock_stands_still)
{
	struct device_clock c = { 0 };
	struct clock_reading r;

	add_reading(&c, 10 * STEP, 0, 100);
	add_reading(&c, 11 * STEP, 0, 100);
	r = make_reading(11 * STEP, STEP, 10);
	device_clock_add(&c, &r);
	EXPECT_EQ(2u, c.n);
	expect_near(0, find_error(&c, 12 * STEP));
}

/* After a pause, the old line may be far away. No frame was received in the meantime. */
TEST(device_clock, takes_the_reading_after_two_of_one_tick)
{
	struct device_clock c = { 0 };
	const uint64_t start = 500 * (uint64_t)STEP;

	add_reading(&c, start, 0, 0);
	add_reading(&c, start + STEP, -STEP, 0);
	add_reading(&c, start + 2 * STEP, 0, 50);
	expect_near(0, find_error(&c, start + 3 * STEP));
}

TEST(device_clock, forgets_the_line_after_a_pause)
{
	struct device_clock c = { 0 };

	add_reading(&c, 10 * STEP, 0, 100);
	add_reading(&c, 11 * STEP, 0, 100);
	device_clock_begin(&c);
	add_reading(&c, 900 * STEP, 70000, 100);
	add_reading(&c, 901 * STEP, 70000, 100);
	EXPECT_EQ(0u, c.error);
	expect_near(70000, find_error(&c, 900 * STEP));
}

TEST(device_clock, knows_times_that_no_received_frame_has)
{
	const uint64_t hz = 2000000000, now = 100 * hz;

	EXPECT_TRUE(clock_can_be_receive_time(now, now, hz));
	EXPECT_TRUE(clock_can_be_receive_time(now - 4 * hz, now, hz));
	EXPECT_FALSE(clock_can_be_receive_time(now - 4 * hz - 1, now, hz));
	EXPECT_TRUE(clock_can_be_receive_time(now + hz / 64, now, hz));
	EXPECT_FALSE(clock_can_be_receive_time(now + hz / 64 + 1, now, hz));
	EXPECT_FALSE(clock_can_be_receive_time(0, now, hz));
	EXPECT_FALSE(clock_can_be_receive_time(UINT64_MAX / 2, now, hz));
}
