/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "config.h"

/* Packets that are in the ring at a stop: neither driver counts them as errors. */

enum { N_SENT = 48, N_TAKEN = 16, FRAME = 64 };

static void fill_ring(struct dut *dut)
{
	uint8_t frame[FRAME] = { 0 };

	memset(frame, 0xff, RTE_ETHER_ADDR_LEN);
	for (unsigned int i = 0; i < N_SENT; i++)
		lab_send_frame(dut->lab, dut->side, frame, sizeof(frame));
	lab_step(dut->lab, dut->side);
}

static void take_packets(const struct dut *dut)
{
	struct rte_mbuf *m[N_TAKEN];

	ASSERT_EQ(N_TAKEN, rte_eth_rx_burst(dut->side->port, 0, m, N_TAKEN));
	rte_pktmbuf_free_bulk(m, N_TAKEN);
}

TEST(differ, packets_that_a_stop_discards_are_no_errors)
{
	struct lab *lab = lab_open();
	struct dut dut;

	ASSERT_NE(NULL, lab);
	for (int d = 0; d < LAB_DRIVERS; d++) {
		SCOPED_TRACE("%s", lab_driver_names[d]);
		ASSERT_TRUE(config_start(&dut, lab, (enum lab_driver)d, &configs[0]));
		lab->emu->pause();
		fill_ring(&dut);
		take_packets(&dut);
		lab->emu->resume();
		dut.n_discarded = N_SENT - N_TAKEN;
		config_stop(&dut);
		EXPECT_EQ(N_TAKEN, dut.stats.ipackets);
		EXPECT_EQ(0, dut.stats.ierrors);
		EXPECT_EQ(0, dut.stats.imissed);
		EXPECT_EQ(0, dut.stats.rx_nombuf);
	}
}
