/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both drivers post packets while the link is down. The device drops them; the drivers count them
 * as posted, and go on when the link is up.
 */
#include <string.h>

#include "config.h"
#include "ct.h"
#include "emu_frames.h"
#include "lab.h"
#include "wait_limit.h"

enum { FRAME_BYTES = 64, STEP_US = 100 };

static struct devx_emu_counters read_counters(const struct dut *dut)
{
	struct devx_emu_counters c = { 0 };

	EXPECT_EQ(0, dut->lab->emu->counters(dut->side->emu_port, &c, sizeof(c)));
	return c;
}

static void post_packets(const struct dut *dut, uint16_t n)
{
	struct rte_mbuf *m[LAB_BURST];

	for (uint16_t i = 0; i < n; i++) {
		m[i] = rte_pktmbuf_alloc(dut->tx_pool);
		ASSERT_NE(NULL, m[i]);
		memset(rte_pktmbuf_append(m[i], FRAME_BYTES), 2, FRAME_BYTES);
	}
	EXPECT_EQ(n, rte_eth_tx_burst(dut->side->port, 0, m, n));
}

/* Waits until the peer has @n packets. */
static void expect_at_peer(const struct dut *dut, uint16_t n)
{
	struct rte_mbuf *m[LAB_BURST];
	uint16_t got = 0;

	for (int i = 0; got < n && i < WAIT_LIMIT_MS * 1000 / STEP_US; i++) {
		const uint16_t k = lab_receive_at_peer(dut->side, m, LAB_BURST);

		rte_pktmbuf_free_bulk(m, k);
		got += k;
		if (!k)
			rte_delay_us_sleep(STEP_US);
	}
	EXPECT_EQ(n, got);
}

static void lose_and_send(const struct dut *dut, uint16_t n)
{
	const struct devx_emu_counters before = read_counters(dut);
	struct devx_emu_counters after;

	SCOPED_TRACE("%s, %u packets", lab_driver_names[dut->side->driver], n);
	ASSERT_EQ(0, rte_eth_dev_set_link_down(dut->side->port));
	post_packets(dut, n);
	ASSERT_EQ(0, rte_eth_dev_set_link_up(dut->side->port));
	after = read_counters(dut);
	EXPECT_EQ(n, after.tx_link_down - before.tx_link_down);
	EXPECT_EQ(0, emu_frames_sent(&before, &after));
	post_packets(dut, n);
	expect_at_peer(dut, n);
	after = read_counters(dut);
	EXPECT_EQ(n, after.tx_link_down - before.tx_link_down);
	EXPECT_EQ(n, emu_frames_sent(&before, &after));
}

static void compare_links(const struct dut dut[LAB_DRIVERS], uint16_t burst)
{
	for (int d = 0; d < LAB_DRIVERS; d++)
		lose_and_send(&dut[d], burst);
}

TEST(differ, packets_posted_while_the_link_is_down_never_leave)
{
	const struct lab *lab = lab_open();

	if (lab)
		config_run(lab, &configs[0], compare_links);
}
