/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_port.h"
#include "port_rig.h"

/* A device without queue counters: devx-emu --profile realtime. */

FIXTURE(realtime_profile)
{
	struct port_rig rig;
};
FIXTURE_SETUP(realtime_profile)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	NEEDS_EMU("to count dropped frames");
}
FIXTURE_TEARDOWN(realtime_profile)
{
	port_rig_down(&self->rig);
}

static bool has_dropped(const struct port_rig *rig, void *want)
{
	return port_rig_get_counters(rig).rx_out_of_buffer == *(uint64_t *)want;
}

TEST_F(realtime_profile, port_without_queue_counters_counts_no_missed_packet)
{
	struct port_rig *rig = &self->rig;
	uint64_t want = port_rig_get_counters(rig).rx_out_of_buffer + PORT_RIG_MISSED;
	struct rte_eth_stats stats;

	if (devx_eth_port_get(&rte_eth_devices[rig->port])->counter.obj)
		SKIP("needs emu with --profile realtime");
	port_rig_overflow(rig, has_dropped, &want);
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	EXPECT_EQ(0, stats.imissed);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "rx_out_of_buffer_age_ms"));
	EXPECT_EQ(0, rte_eth_stats_reset(rig->port));
}
