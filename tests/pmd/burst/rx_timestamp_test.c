/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf_dyn.h>

#include "devx_port.h"
#include "port_rig.h"

/* Timestamps of received packets: the clock of the device at their arrival. */

enum { FRAME = 300 };

FIXTURE(rx_timestamp)
{
	struct port_rig rig;
};
FIXTURE_SETUP(rx_timestamp)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(rx_timestamp)
{
	port_rig_down(&self->rig);
}

static const struct devx_eth *get_eth(const struct ct_fix_rx_timestamp *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port]);
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

/* Cycles of 6.4 ns; or the ns of a real-time clock, which gains 1 ns each 1000 ns. */
TEST_F(rx_timestamp, timestamp_is_the_time_of_the_device_at_the_arrival)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	const bool real_time =
		get_eth(self)->dev.caps.rq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME;
	uint64_t flag;
	int offset;

	NEEDS_EMU("to hold the clock");
	ASSERT_EQ(0, rte_mbuf_dyn_rx_timestamp_register(&offset, &flag));
	start_with(self, RTE_ETH_RX_OFFLOAD_TIMESTAMP);
	for (uint64_t i = 0; i < 100; i++) {
		const uint64_t ns = emu->clock(DEVX_EMU_CLOCK_HELD, i * 100000007);

		EXPECT_EQ(real_time ? 1700000000000000000 + ns + ns / 1000 : ns * 5 / 32,
			  take_timestamp(self, offset, flag));
	}
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	start_with(self, 0);
	EXPECT_EQ(0, take_timestamp(self, offset, flag));
}

TEST_F(rx_timestamp, timestamp_lies_between_two_reads_of_the_clock)
{
	uint64_t flag, ts, before, after;
	int offset;

	if (get_eth(self)->dev.caps.rq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME)
		SKIP("the timestamps are those of another clock");
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
