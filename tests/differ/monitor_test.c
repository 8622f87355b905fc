/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_power_intrinsics.h>

#include "config.h"
#include "report.h"

/* The byte that a thread monitors until the next packet: both drivers name it alike. */

/* Returns the result of the callback, as DPDK calls it: -1 ends the wait. */
static int call_back(const struct rte_power_monitor_cond *cond)
{
	return cond->fn(*(const volatile uint8_t *)cond->addr, cond->opaque);
}

static struct rte_power_monitor_cond get_address(const struct dut *dut)
{
	struct rte_power_monitor_cond cond = { 0 };

	EXPECT_EQ(0, rte_eth_get_monitor_addr(dut->side->port, 0, &cond));
	return cond;
}

/* Lets the peer send a frame of broadcast, and takes it. Returns how many packets came. */
static unsigned int take_frame(const struct dut *dut)
{
	const uint8_t frame[64] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 8, 0 };
	struct rte_mbuf *m[4]; /* net_mlx5 takes no fewer */
	unsigned int n = 0;

	lab_send_frame(dut->lab, dut->side, frame, sizeof(frame));
	lab_step(dut->lab, dut->side);
	for (unsigned int i = 0; i < 4 && !n; i++)
		n = rte_eth_rx_burst(dut->side->port, 0, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, n);
	return n;
}

TEST(differ, both_drivers_monitor_the_owner_bit_of_the_next_CQE)
{
	struct lab *lab = lab_open();
	struct dut dut[LAB_DRIVERS];

	report_start();
	if (!lab)
		return;
	for (int d = 0; d < LAB_DRIVERS; d++)
		ASSERT_TRUE(config_start(&dut[d], lab, (enum lab_driver)d, &configs[0]));
	lab->emu->pause();
	/* the owner bit changes at the end of the ring */
	for (unsigned int i = 0; i < 3u * configs[0].ring; i++) {
		struct rte_power_monitor_cond before[LAB_DRIVERS];

		SCOPED_TRACE("packet %u", i);
		for (int d = 0; d < LAB_DRIVERS; d++) {
			before[d] = get_address(&dut[d]);
			EXPECT_EQ(0, call_back(&before[d]));
			EXPECT_EQ(1, take_frame(&dut[d]));
			EXPECT_EQ(-1, call_back(&before[d]));
		}
		EXPECT_EQ(before[LAB_MLX5].size, before[LAB_DEVX].size);
		EXPECT_EQ(before[LAB_MLX5].opaque[0], before[LAB_DEVX].opaque[0]);
	}
	lab->emu->resume();
	for (int d = 0; d < LAB_DRIVERS; d++)
		config_stop(&dut[d]);
}
