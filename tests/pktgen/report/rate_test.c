/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"
#include "report/rate.h"

enum { S = 1000000000 };

static const struct whole {
	const char *name;
	struct figures_side side;
	double packets, bytes; /* per second; 0: none */
} wholes[] = {
	{ "two_in_a_second", { 2, 200, 5ull * S, 6ull * S }, 1, 100 },
	{ "eleven_in_two_seconds", { 11, 1100, 0, 2ull * S }, 5, 500 },
	{ "different_sizes", { 3, 3000, 0, S }, 2, 2000 },
	{ "none", { 0 }, 0, 0 },
	{ "one", { 1, 64, S, S }, 0, 0 },
	{ "all_of_one_poll", { 32, 2048, S, S }, 0, 0 },
};

TEST_EACH(rate_measure_whole, divides_the_distances_by_the_time, struct whole, wholes)
{
	const struct measured_rate rate = rate_measure(&row->side, NULL, 7);

	EXPECT_EQ(row->packets > 0, rate.is_known);
	EXPECT_EQ(row->packets, rate.packets);
	EXPECT_EQ(row->bytes, rate.bytes);
}

TEST(rate_measure, divides_the_packets_of_an_interval_by_its_length)
{
	const struct figures_side last = { .packets = 10, .bytes = 1000 };
	struct figures_side now = { .packets = 11, .bytes = 1064 };
	struct measured_rate rate = rate_measure(&now, &last, 0.5);

	EXPECT_TRUE(rate.is_known);
	EXPECT_EQ(2.0, rate.packets);
	EXPECT_EQ(128.0, rate.bytes);
	rate = rate_measure(&last, &last, 0.5);
	EXPECT_TRUE(rate.is_known);
	EXPECT_EQ(0.0, rate.packets);
	EXPECT_FALSE(rate_measure(&now, &last, 0).is_known);
}
