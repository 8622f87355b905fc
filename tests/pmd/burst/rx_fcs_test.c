/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_net_crc.h>

#include "devx_rxq.h"
#include "port_rig.h"

/* The frame check sequence of a frame that takes several buffers, of FIRST and of MORE bytes. */

enum {
	ROOM = 512,
	MORE = ROOM - RTE_ETHER_CRC_LEN,
	FIRST = MORE - RTE_PKTMBUF_HEADROOM,
	AROUND = 6,
};

FIXTURE(rx_fcs)
{
	struct port_rig rig;
	struct rte_mempool *small;
};
FIXTURE_SETUP(rx_fcs)
{
	const struct rte_eth_conf conf = { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER |
							      RTE_ETH_RX_OFFLOAD_KEEP_CRC };
	const uint16_t n = PORT_RIG_RING;

	port_rig_probe(&self->rig);
	self->small = rte_pktmbuf_pool_create("small", 1023, 0, 0, ROOM, 0);
	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, n, 0, NULL, self->small));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(self->rig.port, 0, n, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(rx_fcs)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->small);
}

/* Expects each byte of the frame, and its frame check sequence in one piece behind the last one. */
static void expect_frame(const struct port_rig *rig, struct rte_mbuf *m, uint32_t bytes,
			 uint32_t seed)
{
	struct rte_mbuf *want = port_rig_make_packet(rig, bytes, seed);
	const uint8_t *frame = rte_pktmbuf_mtod(want, const uint8_t *);
	const struct rte_mbuf *last = rte_pktmbuf_lastseg(m);
	const uint32_t fcs = rte_net_crc_calc(frame, bytes, RTE_NET_CRC32_ETH);
	static uint8_t copy[PORT_RIG_FRAME_MAX];

	SCOPED_TRACE("frame of %u bytes", bytes);
	EXPECT_EQ(bytes, m->pkt_len);
	EXPECT_LT(0, last->data_len);
	if (m->pkt_len == bytes) {
		EXPECT_MEMEQ(frame, (const uint8_t *)rte_pktmbuf_read(m, 0, bytes, copy), bytes);
		EXPECT_MEMEQ((const uint8_t *)&fcs,
			     rte_pktmbuf_mtod_offset(last, const uint8_t *, last->data_len),
			     RTE_ETHER_CRC_LEN);
	}
	rte_pktmbuf_free(want);
}

static void exchange_frame(struct ct_fix_rx_fcs *self, uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, seed);

	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	expect_frame(&self->rig, m, bytes, seed);
	rte_pktmbuf_free(m);
}

/* Around each end, 4 of 13 lengths have a sequence that ends in the next buffer. */
TEST_F(rx_fcs, sequence_is_whole_around_each_end_of_a_buffer)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
	uint32_t n = 0;

	EXPECT_EQ(FIRST, rxq->buf_bytes);
	EXPECT_EQ(MORE, rxq->more_bytes);
	for (uint32_t end = FIRST; end + AROUND <= PORT_RIG_FRAME_MAX; end += MORE)
		for (uint32_t bytes = end - AROUND; bytes <= end + AROUND; bytes++)
			exchange_frame(self, bytes, n++);
	EXPECT_EQ(3 * (2 * AROUND + 1), n);
}
