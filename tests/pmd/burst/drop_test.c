/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>

#include "devx_missed.h"
#include "devx_txq.h"
#include "port_rig.h"

/* Packets that cannot be sent, and packets that arrive while no buffer is posted. */

FIXTURE(drop)
{
	struct port_rig rig;
};
FIXTURE_SETUP(drop)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
}
FIXTURE_TEARDOWN(drop)
{
	port_rig_down(&self->rig);
}

static const struct length {
	const char *name;
	uint32_t bytes;
	bool good;
} lengths[] = {
	{ "0", 0, false },
	{ "13", 13, false },
	{ "1518", 1518, true },
	{ "1519", 1519, false },
};

TEST_F_EACH(drop, packet_is_sent_or_counted_by_length, struct length, lengths)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, RTE_MAX(row->bytes, 60u), 0);

	rte_pktmbuf_trim(m, (uint16_t)(m->data_len - row->bytes));
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(!row->good, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
	EXPECT_EQ(row->good, port_rig_get_xstat(&self->rig, "tx_good_packets"));
	if (row->good) {
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, row->bytes, 0);
		rte_pktmbuf_free(m);
	}
	port_rig_exchange_one(&self->rig, 1);
}

/* Lengths of a packet to which the device adds a tag. The CPU adds one to every frame. */
static const struct length tagged[] = {
	{ "14", 14, false },
	{ "17", 17, false },
	{ "18", 18, true },
};

static struct rte_mbuf *make_tagged_packet(const struct port_rig *rig, uint32_t bytes)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 60, 0);

	rte_pktmbuf_trim(m, (uint16_t)(m->data_len - bytes));
	m->ol_flags = RTE_MBUF_F_TX_VLAN;
	m->vlan_tci = 7;
	return m;
}

TEST_F_EACH(drop, packet_with_tag_is_sent_or_counted_by_length, struct length, tagged)
{
	enum { N = 3 };
	const struct devx_eth_txq *txq;
	struct rte_mbuf *m[N];
	bool good;

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0,
		  port_rig_configure(&self->rig, &(struct port_rig_config){
							 .eth.txmode.offloads =
								 RTE_ETH_TX_OFFLOAD_VLAN_INSERT }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	txq = rte_eth_devices[self->rig.port].data->tx_queues[0];
	good = row->good || !txq->insert_type;
	/* alone, and between others, which another loop posts */
	for (uint16_t n = 1; n <= N; n += N - 1) {
		for (uint16_t i = 0; i < n; i++)
			m[i] = make_tagged_packet(&self->rig, i == n / 2 ? row->bytes : 60);
		rte_errno = 0;
		EXPECT_EQ(good ? n : n / 2, rte_eth_tx_prepare(self->rig.port, 0, m, n));
		EXPECT_EQ(good ? 0 : EINVAL, rte_errno);
		ASSERT_TRUE(port_rig_send(&self->rig, m, n));
		for (uint16_t i = 0; i < n - !good; i++) {
			ASSERT_EQ(1, port_rig_receive(&self->rig, m, 1));
			rte_pktmbuf_free(m[0]);
		}
	}
	EXPECT_EQ(good ? 0 : 2, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
	EXPECT_EQ(good ? 1 + N : N - 1, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}

static bool has_missed(const struct port_rig *rig, void *arg)
{
	struct rte_eth_stats stats;

	rte_eth_stats_get(rig->port, &stats);
	return stats.imissed == *(uint64_t *)arg;
}

/* The test sends without receiving: imissed counts exactly the packets without a buffer. */
TEST_F(drop, packets_without_a_buffer_are_counted_as_missed)
{
	uint64_t want = 700 - PORT_RIG_RING;
	uint16_t got = 0, k;
	struct rte_mbuf *m[PORT_RIG_BURST];

	devx_eth_missed_period_ms = 20;
	for (uint32_t i = 0; i < 700; i++) {
		m[0] = port_rig_make_packet(&self->rig, 60, i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(has_missed, &self->rig, &want));
	EXPECT_EQ(want, port_rig_get_xstat(&self->rig, "rx_out_of_buffer"));
	while (got < PORT_RIG_RING && (k = port_rig_receive(&self->rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port)); /* the count outlives the queue counter */
	EXPECT_TRUE(has_missed(&self->rig, &want));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_TRUE(has_missed(&self->rig, &want));
}

/* The test takes every mbuf of the pool, then returns all: the port receives again. */
TEST_F(drop, port_receives_again_after_the_pool_was_empty)
{
	static struct rte_mbuf *hoard[PORT_RIG_POOL], *got[2 * PORT_RIG_RING];
	struct rte_eth_stats stats;
	unsigned int n = 0, k = 0;

	for (uint32_t i = 0; i < PORT_RIG_RING / 2; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, 60, i);

		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	}
	while (n < PORT_RIG_POOL && (hoard[n] = rte_pktmbuf_alloc(self->rig.pool)))
		n++;
	while (k < PORT_RIG_RING / 2) {
		const uint16_t came = port_rig_receive(&self->rig, got + k, PORT_RIG_BURST);

		if (!came)
			FAIL("only %u packets received", k);
		k += came;
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_LT(0, stats.rx_nombuf);
	rte_pktmbuf_free_bulk(hoard, n);
	rte_pktmbuf_free_bulk(got, k);
	for (uint32_t i = 0; i < 2 * PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
}
