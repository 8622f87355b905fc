/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/sums.h"

#include "ct.h"

TEST(sums, names_the_places_between_which_packets_are_missing)
{
	struct bench_sums s = { 0 };
	char why[160] = "";

	bench_sums_add(&s, &(struct bench_sum){ "bursts sent", "the wire took", 100, 100, 0 });
	bench_sums_add(&s,
		       &(struct bench_sum){ "the wire took", "the port received", 100, 90, 10 });
	EXPECT_TRUE(bench_sums_check(&s, why, sizeof(why)));
	EXPECT_STREQ("", why);
	s.sum[1].n_lost = 9;
	EXPECT_FALSE(bench_sums_check(&s, why, sizeof(why)));
	EXPECT_STREQ("packets do not add up: the wire took 100, the port received 90, lost with a "
		     "reason 9",
		     why);
	s.sum[1].n_lost = 11; /* more than were sent is also a mistake */
	EXPECT_FALSE(bench_sums_check(&s, NULL, 0));
}
