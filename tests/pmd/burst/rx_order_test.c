/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_rxq.h"
#include "hasty_device.h"
#include "port_rig.h"

/*
 * Order in which a burst that scatters packets reads CQEs, and writes WQEs and records: the device
 * acts at each store to a record. rx_ring_test.c does the same with the other receive functions.
 */

enum { BUF = 512, RING = 64, N_MBUFS = 255, N_ROUNDS = 200 };

FIXTURE(rx_order)
{
	struct port_rig rig;
	struct rte_mempool *small;
};
FIXTURE_SETUP(rx_order)
{
	const struct rte_eth_conf conf = { .rxmode = { .mtu = RTE_ETHER_MTU,
						       .offloads = RTE_ETH_RX_OFFLOAD_SCATTER } };
	struct port_rig *rig = &self->rig;

	port_rig_probe(rig);
	NEEDS_EMU("to step the device");
	if (!write_trap_is_possible())
		SKIP("the trap flag is needed, which only x86-64 has");
	self->small = rte_pktmbuf_pool_create("small", N_MBUFS, 0, 0, BUF, 0);
	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0, rte_eth_dev_configure(rig->port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(rig->port, 0, RING, 0, NULL, self->small));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(rig->port, 0, RING, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}
FIXTURE_TEARDOWN(rx_order)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->small);
}

static uint32_t choose_size(uint32_t seed)
{
	return 60 + seed * 331 % (PORT_RIG_FRAME_MAX - 60 + 1);
}

static void expect_packet(const struct port_rig *rig, const struct rte_mbuf *m, uint32_t seed)
{
	struct rte_mbuf *want = port_rig_make_packet(rig, choose_size(seed), seed);
	uint8_t copy[PORT_RIG_FRAME_MAX];
	const uint8_t *got;

	ASSERT_NE(NULL, want);
	ASSERT_EQ(want->pkt_len, m->pkt_len);
	got = rte_pktmbuf_read(m, 0, m->pkt_len, copy);
	ASSERT_NE(NULL, got);
	EXPECT_MEMEQ(rte_pktmbuf_mtod(want, uint8_t *), got, m->pkt_len);
	rte_pktmbuf_free(want);
}

/* Sends packets @first to @first + @n - 1 to the paused device, which delivers them. */
static void deliver_packets(const struct port_rig *rig, uint32_t first, uint16_t n)
{
	struct rte_mbuf *m[RING];

	for (uint16_t i = 0; i < n; i++)
		m[i] = port_rig_make_packet(rig, choose_size(first + i), first + i);
	ASSERT_TRUE(port_rig_send(rig, m, n));
	while (rig->emu->step(0, RING))
		;
}

TEST_F(rx_order, device_may_act_at_each_store_to_a_record)
{
	const struct port_rig *rig = &self->rig;
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];
	struct rte_mbuf *m[RING];
	uint32_t seed = 0;

	rig->emu->pause();
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		const uint16_t n = (uint16_t)(1 + round % 12);
		struct hasty_device device;
		uint16_t got;

		SCOPED_TRACE("round %u", round);
		deliver_packets(rig, seed, n);
		hasty_device_begin_rx(&device, &rxq->cq, &rxq->rq, rxq->ci);
		got = rte_eth_rx_burst(rig->port, 0, m, n);
		hasty_device_end(&device);
		ASSERT_EQ(n, got);
		for (uint16_t i = 0; i < n; i++)
			expect_packet(rig, m[i], seed++);
		rte_pktmbuf_free_bulk(m, n);
	}
	rig->emu->resume();
}
