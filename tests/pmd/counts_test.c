/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"
#include "devx_counts.h"

/* Counts of a port whose device was lost and returned. */

enum { N = 2 };

TEST(counts, go_on_where_the_device_counts_on)
{
	const uint64_t old[N] = { 100, 50 }, now[N] = { 105, 50 };
	uint64_t base[N] = { 90, 20 };

	devx_eth_counts_continue(base, old, now, N);
	EXPECT_EQ(15, now[0] - base[0]);
	EXPECT_EQ(30, now[1] - base[1]);
}

/* One value is larger already: that alone does not show that the device began again. */
TEST(counts, go_on_where_the_device_begins_again)
{
	const uint64_t old[N] = { 100, 50 }, now[N] = { 3, 60 };
	uint64_t base[N] = { 90, 20 };

	devx_eth_counts_continue(base, old, now, N);
	EXPECT_EQ(10, now[0] - base[0]);
	EXPECT_EQ(30, now[1] - base[1]);
}
