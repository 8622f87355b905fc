/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_rxq.h"
#include "dmabuf.h"
#include "loss_rig.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/* Packets of several receive buffers in a dma-buf, which the CPU must not touch. */

enum {
	BYTES = 1 << 20,
	N_MBUFS = 320,
	MORE = 512,
	FIRST = MORE - RTE_PKTMBUF_HEADROOM,
	RING = 64,
	N_WQES = RING / 4, /* a frame of MTU 1500 fills up to 4 buffers */
	FRAME_MAX = 1500,
};

FIXTURE(dmabuf_scatter)
{
	struct port_rig rig;
	struct test_dmabuf buf;
	struct rte_mempool *pool; /* in the dma-buf */
};
FIXTURE_SETUP(dmabuf_scatter)
{
	const struct port_rig_config config = { .n_rx_desc = RING,
						.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER };
	struct rte_mempool *ordinary;
	struct rte_pmd_devx_dmabuf part = { .length = BYTES, .access = RTE_PMD_DEVX_DMABUF_WRITE };

	port_rig_probe(&self->rig);
	ASSERT_TRUE(test_dmabuf_up(&self->buf, BYTES));
	self->rig.objects.descriptors++; /* until test_dmabuf_down() */
	part.fd = self->buf.fd;
	part.address = (uintptr_t)self->buf.device;
	self->pool = rte_pmd_devx_dmabuf_pool_create("dmabuf", N_MBUFS, 32, MORE, 0, part.address,
						     BYTES);
	ASSERT_NE(NULL, self->pool);
	ASSERT_EQ(0, rte_pmd_devx_dmabuf_register(self->rig.port, &part));
	ordinary = self->rig.pool;
	self->rig.pool = self->pool;
	EXPECT_EQ(0, port_rig_configure(&self->rig, &config));
	self->rig.pool = ordinary;
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(dmabuf_scatter)
{
	port_rig_down(&self->rig);
	mbuf_pool_free(self->pool);
	test_dmabuf_down(&self->buf);
}

/* Compares every segment and byte by the mapping that the test may read. */
static void expect_packet(const struct ct_fix_dmabuf_scatter *self, const struct rte_mbuf *m,
			  uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *want = port_rig_make_packet(&self->rig, bytes, seed);
	uint32_t at = 0;

	SCOPED_TRACE("packet %u of %u bytes", seed, bytes);
	EXPECT_EQ(bytes, m->pkt_len);
	EXPECT_EQ(bytes <= FIRST ? 1 : 1 + (bytes - FIRST + MORE - 1) / MORE, m->nb_segs);
	for (const struct rte_mbuf *s = m; s; s = s->next) {
		const uint8_t *data = rte_pktmbuf_mtod(s, const uint8_t *);

		EXPECT_EQ(self->pool, s->pool);
		EXPECT_TRUE(RTE_MBUF_HAS_EXTBUF(s));
		EXPECT_EQ(s == m ? RTE_PKTMBUF_HEADROOM : 0, s->data_off);
		ASSERT_EQ(RTE_MIN(bytes - at, s == m ? (uint32_t)FIRST : (uint32_t)MORE),
			  s->data_len);
		EXPECT_MEMEQ(rte_pktmbuf_mtod_offset(want, void *, at),
			     self->buf.memory + (data - self->buf.device), s->data_len);
		at += s->data_len;
	}
	EXPECT_EQ(bytes, at);
	rte_pktmbuf_free(want);
}

static void exchange_packets(struct ct_fix_dmabuf_scatter *self, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t bytes = 60 + i * 397 % (FRAME_MAX - 60 + 1);
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, i);

		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		expect_packet(self, m, bytes, i);
		rte_pktmbuf_free(m);
	}
}

TEST_F(dmabuf_scatter, every_byte_of_all_segments_arrives)
{
	exchange_packets(self, 10 * N_WQES);
	EXPECT_EQ(N_MBUFS - RING, rte_mempool_avail_count(self->pool));
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	if (rte_eth_rx_burst(rig->port, 0, &m, 1))
		rte_pktmbuf_free(m);
	return port_rig_get_xstat(rig, "rx_recoveries") > 0;
}

TEST_F(dmabuf_scatter, a_replaced_queue_has_the_key_of_the_dmabuf)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];

	NEEDS_EMU("to let a CQ fail");
	exchange_packets(self, 3);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	exchange_packets(self, 2 * N_WQES);
}

TEST_F(dmabuf_scatter, device_that_returned_has_a_key_of_the_dmabuf)
{
	const struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	loss_rig_listen();
	exchange_packets(self, 3);
	for (unsigned int i = 1; i <= 3; i++) {
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, i));
		exchange_packets(self, 2 * N_WQES);
	}
	loss_rig_forget();
	EXPECT_EQ(N_MBUFS - RING, rte_mempool_avail_count(self->pool));
}
