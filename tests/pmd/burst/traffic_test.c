/* SPDX-License-Identifier: BSD-3-Clause */
#include "port_rig.h"

FIXTURE(traffic)
{
	struct port_rig rig;
};
FIXTURE_SETUP(traffic)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(traffic)
{
	port_rig_down(&self->rig);
}

/* Returns the length of packet @i: 60 to 1514 bytes, and up to 123 bytes more often. */
static uint32_t choose_size(uint32_t i)
{
	return i % 3 ? 60 + i % 64 : 60 + i / 3 * 7919 % (PORT_RIG_FRAME_MAX - 60 + 1 - 4);
}

/* Sends and receives @n packets and compares each; at most half a ring is in flight. */
static void exchange_packets(const struct port_rig *rig, uint32_t n)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t sent = 0, got = 0;

	while (got < n) {
		uint16_t k = 0;

		while (k < 1 + sent % PORT_RIG_BURST && sent + k < n &&
		       sent + k - got < PORT_RIG_RING / 2) {
			m[k] = port_rig_make_packet(rig, choose_size(sent + k), sent + k);
			ASSERT_NE(NULL, m[k]);
			k++;
		}
		if (k && !port_rig_send(rig, m, k))
			return;
		sent += k;
		k = port_rig_receive(rig, m, PORT_RIG_BURST);
		if (!k)
			FAIL("%u packets sent, only %u received", sent, got);
		for (uint16_t i = 0; i < k; i++, got++)
			port_rig_expect_packet(rig, m[i], choose_size(got), got);
		rte_pktmbuf_free_bulk(m, k);
	}
}

/* 70000 packets make the 16-bit producer counter of the RQ wrap. */
TEST_F(traffic, every_byte_of_70000_packets_arrives)
{
	const uint32_t n = 70000;
	struct rte_eth_stats stats;
	uint64_t bytes = 0;

	exchange_packets(&self->rig, n);
	for (uint32_t i = 0; i < n; i++)
		bytes += choose_size(i);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(n, stats.opackets);
	EXPECT_EQ(n, stats.ipackets);
	EXPECT_EQ(bytes, stats.obytes);
	EXPECT_EQ(bytes, stats.ibytes);
	EXPECT_EQ(n, port_rig_get_xstat(&self->rig, "rx_q0_packets"));
	EXPECT_EQ(n, port_rig_get_xstat(&self->rig, "tx_q0_packets"));
	EXPECT_EQ(0, stats.imissed + stats.ierrors + stats.oerrors + stats.rx_nombuf);
}

TEST_F(traffic, a_reset_of_statistics_starts_them_at_zero)
{
	struct rte_eth_stats stats;

	exchange_packets(&self->rig, 100);
	ASSERT_EQ(0, rte_eth_stats_reset(self->rig.port));
	exchange_packets(&self->rig, 10);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(10, stats.opackets);
	EXPECT_EQ(10, stats.ipackets);
}

TEST_F(traffic, statistics_survive_a_stop_and_packets_flow_again)
{
	struct rte_eth_stats stats;

	for (int i = 0; i < 5; i++) {
		exchange_packets(&self->rig, 50);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(250, stats.opackets);
	EXPECT_EQ(250, stats.ipackets);
}

TEST_F(traffic, a_burst_larger_than_the_ring_is_taken_in_part)
{
	static struct rte_mbuf *m[PORT_RIG_RING + 100];
	uint16_t sent;

	NEEDS_EMU("to pause the device");
	self->rig.emu->pause();
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = port_rig_make_packet(&self->rig, 60, i);
	sent = rte_eth_tx_burst(self->rig.port, 0, m, RTE_DIM(m));
	EXPECT_EQ(PORT_RIG_RING, sent);
	EXPECT_EQ(0, rte_eth_tx_burst(self->rig.port, 0, m + sent, 1));
	rte_pktmbuf_free_bulk(m + sent, RTE_DIM(m) - sent);
	self->rig.emu->resume();
}

/* ---- fast free, many queues ------------------------------------------------------------ */

FIXTURE(fast)
{
	struct port_rig rig;
};
FIXTURE_SETUP(fast)
{
	port_rig_up(&self->rig, &(struct port_rig_config){
					.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE,
					.n_txq = 3,
				});
}
FIXTURE_TEARDOWN(fast)
{
	port_rig_down(&self->rig);
}

TEST_F(fast, fast_free_returns_every_mbuf)
{
	exchange_packets(&self->rig, 20000);
}

TEST_F(fast, every_send_queue_has_its_own_doorbell)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t got = 0;

	for (uint32_t i = 0; i < 300; i++) {
		struct rte_mbuf *p = port_rig_make_packet(&self->rig, 60, i);

		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, (uint16_t)(i % 3), &p, 1));
	}
	while (got < 300) {
		const uint16_t k = port_rig_receive(&self->rig, m, PORT_RIG_BURST);

		if (!k)
			FAIL("only %u of 300 packets received", got);
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(100, port_rig_get_xstat(&self->rig, "tx_q2_packets"));
}
