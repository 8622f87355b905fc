/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_port.h"
#include "port_rig.h"

/* A device without queue counters: devx-emu --profile realtime. */

enum { SENT = 700, MISSED = SENT - PORT_RIG_RING };

FIXTURE(realtime_profile)
{
	struct port_rig rig;
};
FIXTURE_SETUP(realtime_profile)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
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
	uint64_t want = port_rig_get_counters(rig).rx_out_of_buffer + MISSED;
	struct rte_mbuf *m[PORT_RIG_BURST];
	struct rte_eth_stats stats;
	uint16_t got = 0, k;

	if (devx_eth_port_get(&rte_eth_devices[rig->port])->counter.obj)
		SKIP("needs emu with --profile realtime");
	for (uint32_t i = 0; i < SENT; i++) {
		m[0] = port_rig_make_packet(rig, 60, i);
		ASSERT_TRUE(port_rig_send(rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(has_dropped, rig, &want));
	while (got < PORT_RIG_RING && (k = port_rig_receive(rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	EXPECT_EQ(0, stats.imissed);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "rx_out_of_buffer_age_ms"));
	EXPECT_EQ(0, rte_eth_stats_reset(rig->port));
}
