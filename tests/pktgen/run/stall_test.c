/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "run/watch.h"

TEST(stall, a_blocked_sender_without_progress_is_stalled_since_its_last_packet)
{
	struct stall s = { 0 };

	EXPECT_EQ(0, stall_update(&s, 10, true, 1000));
	/* The sender gets no CPU for most of the time: its state stays the same. */
	for (uint64_t ms = 1010; ms <= 6000; ms += 10)
		EXPECT_EQ(ms - 1000, stall_update(&s, 10, true, ms));
}

TEST(stall, a_packet_ends_the_stall)
{
	struct stall s = { 0 };

	stall_update(&s, 10, true, 1000);
	EXPECT_EQ(4000, stall_update(&s, 10, true, 5000));
	EXPECT_EQ(0, stall_update(&s, 11, true, 5010));
	EXPECT_EQ(90, stall_update(&s, 11, true, 5100));
}

/* At one packet per minute the sender waits for its rate, not for the port. */
TEST(stall, a_sender_that_waits_for_its_rate_is_not_stalled)
{
	struct stall s = { 0 };

	stall_update(&s, 1, false, 0);
	EXPECT_EQ(0, stall_update(&s, 1, false, 59000));
}

TEST(stall, a_port_that_never_takes_a_frame_is_stalled_since_the_start)
{
	struct stall s = { 0 };

	EXPECT_EQ(10, stall_update(&s, 0, true, 10));
	EXPECT_EQ(5000, stall_update(&s, 0, true, 5000));
}
