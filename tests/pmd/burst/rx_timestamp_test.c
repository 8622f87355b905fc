/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf_dyn.h>

#include "emu_clocks.h"
#include "loss_rig.h"
#include "port_rig.h"

/* Timestamps of received packets: the clock of the device at their arrival. */

enum { FRAME = 300 };

FIXTURE(rx_timestamp)
{
	struct port_rig rig;
	int64_t cap, real_time; /* options of emu's profile before the test */
};
FIXTURE_SETUP(rx_timestamp)
{
	self->cap = self->real_time = -1;
	self->rig.port = RTE_MAX_ETHPORTS;
}
FIXTURE_TEARDOWN(rx_timestamp)
{
	loss_rig_forget();
	if (self->rig.port != RTE_MAX_ETHPORTS)
		port_rig_down(&self->rig);
	if (self->cap < 0)
		return;
	emu_if_any()->clock(DEVX_EMU_CLOCK_REAL, 0);
	emu_if_any()->option("ts_format", (uint32_t)self->cap);
	emu_if_any()->option("real_time", (uint32_t)self->real_time);
}

static void probe_device(struct ct_fix_rx_timestamp *self, const struct emu_clocks_row *device)
{
	self->cap = emu_if_any()->option("ts_format", device->ts_format);
	self->real_time = emu_if_any()->option("real_time", device->real_time);
	port_rig_probe(&self->rig);
}

static void start_with(struct ct_fix_rx_timestamp *self, uint64_t offloads)
{
	const struct port_rig_config config = { .eth.rxmode.offloads = offloads };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/* Returns the timestamp of a packet that it sends and receives; 0: no timestamp. */
static uint64_t take_timestamp(struct ct_fix_rx_timestamp *self, int offset, uint64_t flag)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, 7);
	uint64_t ts = 0;

	if (!port_rig_send(&self->rig, &m, 1) || !port_rig_receive(&self->rig, &m, 1))
		return 0;
	if (m->ol_flags & flag)
		ts = *RTE_MBUF_DYNFIELD(m, offset, rte_mbuf_timestamp_t *);
	rte_pktmbuf_free(m);
	return ts;
}

/* @offset, @flag: where mbufs have the timestamp, and the flag that says so */
static void start_with_timestamps(struct ct_fix_rx_timestamp *self,
				  const struct emu_clocks_row *row, int *offset, uint64_t *flag)
{
	probe_device(self, row);
	ASSERT_EQ(0, rte_mbuf_dyn_rx_timestamp_register(offset, flag));
	start_with(self, RTE_ETH_RX_OFFLOAD_TIMESTAMP);
}

TEST_F_EACH(rx_timestamp, timestamp_is_the_time_of_the_device_at_the_arrival, struct emu_clocks_row,
	    emu_clocks_rows)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	uint64_t flag, now;
	int offset;

	NEEDS_EMU("to set options of its profile");
	start_with_timestamps(self, row, &offset, &flag);
	for (uint64_t i = 0; i < 100; i++) {
		const uint64_t ns = emu->clock(DEVX_EMU_CLOCK_HELD, i * 100000007);

		ASSERT_EQ(emu_clocks_convert(row, ns), take_timestamp(self, offset, flag));
		EXPECT_EQ(0, rte_eth_read_clock(self->rig.port, &now));
		EXPECT_EQ(emu_clocks_convert(row, ns), now);
	}
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with(self, 0);
	EXPECT_EQ(0, take_timestamp(self, offset, flag));
}

TEST_F_EACH(rx_timestamp, clock_between_two_packets_lies_between_their_timestamps,
	    struct emu_clocks_row, emu_clocks_rows)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	uint64_t flag, last = 0, now = 0;
	int offset;

	NEEDS_EMU("to set options of its profile");
	start_with_timestamps(self, row, &offset, &flag);
	for (int i = 0; i < 100; i++) {
		emu->clock(DEVX_EMU_CLOCK_HELD, 32);
		last = take_timestamp(self, offset, flag);
		ASSERT_LT(now, last);
		emu->clock(DEVX_EMU_CLOCK_HELD, 32);
		ASSERT_EQ(0, rte_eth_read_clock(self->rig.port, &now));
		EXPECT_LT(last, now);
	}
}

TEST_F_EACH(rx_timestamp, timestamps_go_on_after_the_recovery_of_the_device, struct emu_clocks_row,
	    emu_clocks_rows)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	uint64_t flag, ns;
	int offset;

	NEEDS_EMU("to set options of its profile");
	start_with_timestamps(self, row, &offset, &flag);
	loss_rig_listen();
	loss_rig_inject(&self->rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(&self->rig, &loss_seen.n_success, 1));
	ns = emu->clock(DEVX_EMU_CLOCK_HELD, 32);
	EXPECT_EQ(emu_clocks_convert(row, ns), take_timestamp(self, offset, flag));
}

TEST_F(rx_timestamp, timestamp_lies_between_two_reads_of_the_clock)
{
	uint64_t flag, ts, before, after;
	int offset;

	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_mbuf_dyn_rx_timestamp_register(&offset, &flag));
	start_with(self, RTE_ETH_RX_OFFLOAD_TIMESTAMP);
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, rte_eth_read_clock(self->rig.port, &before));
		ts = take_timestamp(self, offset, flag);
		ASSERT_EQ(0, rte_eth_read_clock(self->rig.port, &after));
		EXPECT_LE(before, ts);
		EXPECT_LE(ts, after);
	}
}
