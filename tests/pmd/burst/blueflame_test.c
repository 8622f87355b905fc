/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_variants.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Sending by copies of WQEs in the BlueFlame register: tx_bf_wqe=1. */

FIXTURE(blueflame)
{
	struct port_rig rig;
	struct devx_eth_txq *txq;
};
FIXTURE_SETUP(blueflame)
{
	const struct port_rig_config config = {
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};

	port_rig_probe(&self->rig);
	port_rig_remove_port(&self->rig);
	port_rig_add_port_with(&self->rig, "ibdev=mlx5_0,uar=bf,tx_bf_wqe=1");
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	self->txq = devx_eth_port_get(&rte_eth_devices[self->rig.port])->data->tx_queues[0];
}
FIXTURE_TEARDOWN(blueflame)
{
	port_rig_down(&self->rig);
}

/* Splits packet @m behind its first @head bytes into @n more segments. */
static bool split_packet(const struct port_rig *rig, struct rte_mbuf *m, uint16_t head, uint16_t n)
{
	const uint16_t rest = (uint16_t)(m->data_len - head), part = rest / n;
	struct rte_mbuf *last = m;

	for (uint16_t i = 0, at = head; i < n; i++, at = (uint16_t)(at + part)) {
		const uint16_t bytes = i + 1 < n ? part : (uint16_t)(head + rest - at);
		struct rte_mbuf *s = rte_pktmbuf_alloc(rig->pool);

		if (!s)
			return false;
		memcpy(rte_pktmbuf_append(s, bytes), rte_pktmbuf_mtod_offset(m, char *, at), bytes);
		last = last->next = s;
	}
	m->nb_segs = (uint16_t)(n + 1);
	m->data_len = head;
	return true;
}

static void exchange_packet(struct ct_fix_blueflame *self, uint32_t seed, uint32_t bytes,
			    uint16_t n_segs)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, seed);

	ASSERT_NE(NULL, m);
	if (n_segs > 1)
		ASSERT_TRUE(split_packet(&self->rig, m, 50, (uint16_t)(n_segs - 1)));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
	port_rig_expect_packet(&self->rig, m, bytes, seed);
	rte_pktmbuf_free(m);
}

/* 600 packets wrap the ring; doorbells alternate between the two buffers. */
TEST_F(blueflame, every_byte_of_single_packets_arrives)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_SUBSTR("BlueFlame", mode.info);
	EXPECT_EQ(256, self->txq->sq.bf_bytes);
	for (uint32_t i = 0; i < 600; i++) {
		EXPECT_EQ(i & 1 ? 256 : 0, self->txq->sq.bf_at);
		exchange_packet(self, i, 60 + i % 1400, 1);
	}
}

static const struct shape {
	const char *name;
	uint16_t n_segs;
} shapes[] = {
	{ "one_block", 2 },
	{ "two_blocks", 3 },
	{ "whole_buffer", 14 },
	{ "longer_than_the_buffer", 15 },
};

TEST_F_EACH(blueflame, packet_of_several_segments_arrives, struct shape, shapes)
{
	for (uint32_t i = 0; i < 64; i++)
		exchange_packet(self, i, 1000, row->n_segs);
}

/* A burst of more packets rings an ordinary doorbell, in turn with copies. */
TEST_F(blueflame, bursts_of_one_and_of_many_mix)
{
	uint32_t sent = 0;

	for (uint32_t round = 0; round < 100; round++) {
		struct rte_mbuf *m[PORT_RIG_BURST];
		const uint16_t n = round % 3 ? 1 : 8;
		uint16_t got = 0;

		for (uint16_t i = 0; i < n; i++)
			m[i] = port_rig_make_packet(&self->rig, 80, sent + i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, n));
		while (got < n) {
			const uint16_t k = port_rig_receive(&self->rig, m, PORT_RIG_BURST);

			ASSERT_LT(0, k);
			for (uint16_t i = 0; i < k; i++, got++)
				port_rig_expect_packet(&self->rig, m[i], 80, sent + got);
			rte_pktmbuf_free_bulk(m, k);
		}
		sent += n;
	}
}
