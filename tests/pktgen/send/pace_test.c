/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "send/tx.h"

TEST(pace, without_bursts_only_the_start_is_waited_for)
{
	struct pace p = { 0 };

	pace_begin(&p, 1000);
	EXPECT_TRUE(pace_is_waiting(&p, 999));
	EXPECT_FALSE(pace_is_waiting(&p, 1000));
	EXPECT_EQ(64, pace_limit(&p, 64));
	pace_take(&p, 64, 1000);
	EXPECT_FALSE(pace_is_waiting(&p, 1000));
	EXPECT_EQ(64, pace_limit(&p, 64));
}

TEST(pace, a_gap_begins_with_the_last_packet_of_a_burst)
{
	struct pace p = { .packets = 100, .gap = 500 };
	uint64_t now = 7;

	pace_begin(&p, now);
	for (unsigned burst = 0; burst < 3; burst++) {
		EXPECT_EQ(64, pace_limit(&p, 64));
		pace_take(&p, 64, now);
		EXPECT_EQ(36, pace_limit(&p, 64));
		EXPECT_EQ(10, pace_limit(&p, 10));
		pace_take(&p, 10, now += 3);
		EXPECT_FALSE(pace_is_waiting(&p, now));
		EXPECT_EQ(26, pace_limit(&p, 64));
		pace_take(&p, 26, now += 3);
		EXPECT_TRUE(pace_is_waiting(&p, now));
		EXPECT_TRUE(pace_is_waiting(&p, now + 499));
		EXPECT_FALSE(pace_is_waiting(&p, now + 500));
		now += 800; /* no CPU for some time: the next burst is late, with a whole gap */
	}
}
