/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame check sequences in several buffers. net_mlx5 leaves the end of a sequence in a buffer that
 * it does not return; net_devx completes the sequence.
 */
#include <rte_net_crc.h>

#include "config.h"

enum { ROOM = 384, AROUND = 16, FRAME_MAX = 1514 };

#define SETTING                                                                                    \
	.n_rxq = 1, .mtu = 1500, .buffer = ROOM, .ring = 512,                                      \
	.rx_offloads = RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_KEEP_CRC

static const struct config pools[] = {
	{ .name = "ordinary", SETTING },
	{ .name = "pinned", .pinned = true, SETTING },
};

static void make_frame(uint8_t *frame, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		frame[i] = (uint8_t)(i < RTE_ETHER_ADDR_LEN ? 0xff : i * 7 + bytes);
	frame[2 * RTE_ETHER_ADDR_LEN] = 0x88; /* no length of 802.3, and no VLAN tag */
	frame[2 * RTE_ETHER_ADDR_LEN + 1] = 0xb5;
}

/* Expects the bytes of the frame. Return: how many bytes of the sequence follow the last one */
static uint32_t count_sequence(const struct rte_mbuf *m, const uint8_t *frame, uint32_t bytes)
{
	const uint32_t fcs = rte_net_crc_calc(frame, bytes, RTE_NET_CRC32_ETH);
	const struct rte_mbuf *last = rte_pktmbuf_lastseg((struct rte_mbuf *)(uintptr_t)m);
	const uint8_t *end = rte_pktmbuf_mtod_offset(last, const uint8_t *, last->data_len);
	const uint32_t room = RTE_MIN((uint32_t)RTE_ETHER_CRC_LEN, rte_pktmbuf_tailroom(last));
	uint8_t copy[FRAME_MAX];
	uint32_t n = 0;

	EXPECT_EQ(bytes, m->pkt_len);
	EXPECT_MEMEQ(frame, (const uint8_t *)rte_pktmbuf_read(m, 0, bytes, copy), bytes);
	while (n < room && end[n] == ((const uint8_t *)&fcs)[n])
		n++;
	return n;
}

static uint32_t exchange_frame(const struct dut *dut, uint32_t bytes)
{
	uint8_t frame[FRAME_MAX];
	struct rte_mbuf *m = NULL;
	uint32_t n;

	make_frame(frame, bytes);
	lab_send_frame(dut->lab, dut->side, frame, (uint16_t)bytes);
	lab_step(dut->lab, dut->side);
	if (rte_eth_rx_burst(dut->side->port, 0, &m, 1) != 1) {
		ADD_FAILURE("no packet of %u bytes", bytes);
		return 0;
	}
	n = count_sequence(m, frame, bytes);
	rte_pktmbuf_free(m);
	return n;
}

/* Returns how many frames around the ends of the buffers have a whole sequence; sets @n_frames. */
static unsigned int count_whole(const struct dut *dut, unsigned int *n_frames)
{
	unsigned int n_whole = 0;

	*n_frames = 0;
	dut->lab->emu->pause();
	for (uint32_t end = ROOM; end + AROUND <= FRAME_MAX; end += ROOM + RTE_PKTMBUF_HEADROOM)
		for (uint32_t bytes = end - AROUND; bytes <= end + AROUND; bytes++, ++*n_frames)
			n_whole += exchange_frame(dut, bytes) == RTE_ETHER_CRC_LEN;
	dut->lab->emu->resume();
	return n_whole;
}

TEST_EACH(differ_fcs, net_devx_completes_what_net_mlx5_splits_in_a_pool, struct config, pools)
{
	struct lab *lab = lab_open();

	ASSERT_NE(NULL, lab);
	for (int d = 0; d < LAB_DRIVERS; d++) {
		unsigned int n_frames, n_whole;
		struct dut dut;

		SCOPED_TRACE("%s", lab_driver_names[d]);
		ASSERT_TRUE(config_start(&dut, lab, (enum lab_driver)d, row));
		n_whole = count_whole(&dut, &n_frames);
		config_stop(&dut);
		EXPECT_EQ(3 * (2 * AROUND + 1), n_frames);
		/* the last 4 lengths up to the end of a buffer split the sequence */
		EXPECT_EQ(d == LAB_DEVX ? n_frames : n_frames - 3 * RTE_ETHER_CRC_LEN, n_whole);
	}
}
