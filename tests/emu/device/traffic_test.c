/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"
#include "emu/device/engine.h"
#include "emu/queue/port.h"
#include "emu/wire/wire.h"

enum { FRAME_BYTES = 64 };

static void send_frame(struct core_rig *r)
{
	static const uint8_t data[FRAME_BYTES] = { 0x02 };

	EXPECT_TRUE(emu_port_tx(r->emu, &(struct emu_frame){ .data = data, .bytes = FRAME_BYTES },
				NULL));
}

TEST(traffic, sums_outlive_power_on_and_the_adapter)
{
	struct emu_traffic sums = { .vport.tx_uc_packets = 0 };
	struct emu_counters counters;
	struct core_rig r;

	for (unsigned n = 1; n <= 2; n++) {
		core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
		r.emu->traffic = &sums;
		send_frame(&r);
		emu_power_on(r.emu);
		EXPECT_EQ(n * 2 - 1, sums.vport.tx_uc_packets);
		emu_read_counters(r.emu, 0, &counters);
		EXPECT_EQ(0, counters.vport.tx_uc_packets);
		send_frame(&r);
		core_rig_close(&r);
		EXPECT_EQ(n * 2, sums.vport.tx_uc_packets);
		EXPECT_EQ(n * 2 * FRAME_BYTES, sums.vport.tx_uc_bytes);
	}
}

TEST(traffic, sums_outlive_a_command_that_clears_the_counters)
{
	struct emu_traffic sums = { .vport.tx_uc_packets = 0 };
	struct prm_query_vport_counter_in in = { 0 };
	struct prm_query_vport_counter_out out;
	struct core_rig r;

	prm_set(&in, clear, 1);
	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	r.emu->traffic = &sums;
	for (unsigned n = 1; n <= 2; n++) {
		send_frame(&r);
		emu_publish_traffic(r.emu);
		send_frame(&r);
		CORE_RIG_OK(&r, query_vport_counter, &in, &out);
		EXPECT_EQ(0, r.emu->vport.tx_uc_packets);
		emu_publish_traffic(r.emu);
		EXPECT_EQ(2 * n, sums.vport.tx_uc_packets);
	}
	core_rig_close(&r);
}

TEST(traffic, turn_publishes_frames_that_another_port_delivered)
{
	static const uint8_t data[FRAME_BYTES] = { 0x02 };
	const struct emu_frame frame = { .data = data, .bytes = FRAME_BYTES };
	struct emu_traffic sums = { .vport.tx_uc_packets = 0 };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink" });
	r.emu->traffic = &sums;
	EXPECT_TRUE(emu_port_rx(r.emu, &frame, false));
	EXPECT_EQ(0, emu_poll(r.emu, 1)); /* the port itself moves nothing */
	EXPECT_EQ(1, sums.vport.rx_uc_packets);
	core_rig_close(&r);
}

TEST(traffic, turn_publishes_frames_and_faults_of_the_wire)
{
	struct emu_traffic sums = { .vport.tx_uc_packets = 0 };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "loop,delay=1us" });
	r.emu->traffic = &sums;
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 0);
	send_frame(&r);
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 999);
	EXPECT_EQ(0, emu_poll(r.emu, 1));
	emu_set_clock(r.adapter, EMU_CLOCK_HELD, 1);
	EXPECT_EQ(1, emu_poll(r.emu, 1));
	EXPECT_EQ(1, sums.vport.tx_uc_packets);
	EXPECT_EQ(1, sums.vport.rx_uc_packets);
	EXPECT_EQ(1, sums.vport.rx_steering_miss);
	EXPECT_EQ(1, sums.wire.delayed);
	core_rig_close(&r);
}
