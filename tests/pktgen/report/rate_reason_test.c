/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/verdict.h"

#include <ct.h>

#include "port/pause.h"

TEST(rate_reason, blames_the_cpu_while_the_port_has_room)
{
	const struct rate_signs few = { .n_samples = 100, .n_blocked = 9, .n_pauses = 5 };
	const struct rate_signs none = { 0 };

	EXPECT_EQ(RATE_REASON_CPU, rate_reason_find(&few));
	EXPECT_EQ(RATE_REASON_CPU, rate_reason_find(&none));
	EXPECT_STREQ("cpu", rate_reason_get_code(RATE_REASON_CPU));
}

TEST(rate_reason, tells_pause_frames_from_a_slow_port)
{
	const struct rate_signs slow = { .n_samples = 100, .n_blocked = 10 };
	const struct rate_signs paused = { .n_samples = 100, .n_blocked = 80, .n_pauses = 1234 };
	char text[160];

	EXPECT_EQ(RATE_REASON_PORT, rate_reason_find(&slow));
	EXPECT_STREQ("port", rate_reason_get_code(RATE_REASON_PORT));
	EXPECT_EQ(RATE_REASON_PAUSE, rate_reason_find(&paused));
	EXPECT_STREQ("pause_frames", rate_reason_get_code(RATE_REASON_PAUSE));
	rate_reason_write(RATE_REASON_PORT, &slow, text, sizeof(text));
	EXPECT_STREQ("the port is too slow: its ring was full 10% of the time", text);
	rate_reason_write(RATE_REASON_PAUSE, &paused, text, sizeof(text));
	EXPECT_STREQ("the other side is too slow: the port received 1,234 pause frames, and its "
		     "ring was full 80% of the time",
		     text);
}

TEST(pause, knows_counters_of_received_pause_frames_only)
{
	static const char *const names[] = {
		"rx_phy_pause_packets", "rx_xon_packets",       "rx_xoff_packets",
		"rx_pause_frames",      "rx_pfc_frames",        "rx_priority_flow_control_frames",
		"rx_pause_packets",     "mac_rx_mac_pause_num", "mac_rx_pfc_pkt_num",
		"rx_valid_pause",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		SCOPED_TRACE("%s", names[i]);
		EXPECT_TRUE(pause_is_counter(names[i]));
	}
	EXPECT_FALSE(pause_is_counter("tx_xoff_packets"));
	EXPECT_FALSE(pause_is_counter("rx_pfc_ena_frames_pri0"));
	EXPECT_FALSE(pause_is_counter("rx_good_packets"));
}
