/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_malloc.h>

#include "port_rig.h"

/*
 * Kinds of mbufs that an application sends. The driver gives each reference back once, after the
 * device has sent the packet; the teardown expects every mbuf in its pool.
 */

enum { N_POOLS = 3, N_MBUFS = 255, FRAME = 200 };

FIXTURE(tx_mbuf)
{
	struct port_rig rig;
	struct rte_mempool *pools[N_POOLS];
};
FIXTURE_SETUP(tx_mbuf)
{
	port_rig_probe(&self->rig);
	for (int i = 0; i < N_POOLS; i++) {
		char name[] = "pool0";

		name[4] += (char)i;
		self->pools[i] =
			rte_pktmbuf_pool_create(name, N_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
		ASSERT_NE(NULL, self->pools[i]);
	}
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){
							    .n_tx_desc = 64,
							    .eth.txmode.offloads =
								    RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
						    }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(tx_mbuf)
{
	if (self->rig.port != RTE_MAX_ETHPORTS)
		EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	for (int i = 0; i < N_POOLS; i++) {
		if (!self->pools[i])
			continue;
		mbuf_pool_free(self->pools[i]);
	}
	port_rig_down(&self->rig);
}

/* Receives @n packets with seed @seed. */
static void receive_packets(const struct port_rig *rig, unsigned int n, uint32_t seed)
{
	while (n--) {
		struct rte_mbuf *m;

		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, FRAME, seed);
		rte_pktmbuf_free(m);
	}
}

TEST_F(tx_mbuf, one_mbuf_is_sent_several_times)
{
	for (uint32_t i = 0; i < 50; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, i);
		struct rte_mbuf *same[] = { m, m, m };

		ASSERT_NE(NULL, m);
		rte_mbuf_refcnt_update(m, RTE_DIM(same)); /* one reference stays with the test */
		ASSERT_TRUE(port_rig_send(&self->rig, same, RTE_DIM(same)));
		receive_packets(&self->rig, RTE_DIM(same), i);
		rte_pktmbuf_free(m);
	}
}

/* Each clone is in another pool than its data. */
TEST_F(tx_mbuf, clones_are_sent_without_their_original)
{
	for (uint32_t i = 0; i < 50; i++) {
		struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, i), *clones[N_POOLS];

		ASSERT_NE(NULL, m);
		for (int k = 0; k < N_POOLS; k++) {
			clones[k] = rte_pktmbuf_clone(m, self->pools[k]);
			ASSERT_NE(NULL, clones[k]);
		}
		rte_pktmbuf_free(m);
		ASSERT_TRUE(port_rig_send(&self->rig, clones, N_POOLS));
		receive_packets(&self->rig, N_POOLS, i);
	}
}

/* Chains begin in one pool and continue in another one; packets of one segment lie between. */
TEST_F(tx_mbuf, segments_of_several_pools_share_the_ring)
{
	struct port_rig from = self->rig;

	for (uint32_t i = 0; i < 200; i++) {
		struct rte_mbuf *m, *tail;

		from.pool = self->pools[i % N_POOLS];
		m = port_rig_make_packet(&from, FRAME, i);
		ASSERT_NE(NULL, m);
		if (i % 2) {
			tail = rte_pktmbuf_alloc(self->pools[(i + 1) % N_POOLS]);
			ASSERT_NE(NULL, tail);
			memcpy(rte_pktmbuf_append(tail, 100),
			       rte_pktmbuf_mtod_offset(m, char *, 100), 100);
			ASSERT_EQ(0, rte_pktmbuf_trim(m, 100));
			ASSERT_EQ(0, rte_pktmbuf_chain(m, tail));
		}
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		receive_packets(&self->rig, 1, i);
	}
}

/* Neighbours in the ring are of one pool or of two. The teardown looks into the pools. */
TEST_F(tx_mbuf, packets_of_several_pools_return_to_their_own)
{
	enum { BURST = 2 * N_POOLS };
	struct port_rig from = self->rig;
	struct rte_mbuf *m[BURST];

	for (uint32_t i = 0; i < 50; i++) {
		for (uint32_t k = 0; k < BURST; k++) {
			from.pool = self->pools[(i % 2 ? k : k / 2) % N_POOLS];
			m[k] = port_rig_make_packet(&from, FRAME, i);
			ASSERT_NE(NULL, m[k]);
		}
		ASSERT_TRUE(port_rig_send(&self->rig, m, BURST));
		receive_packets(&self->rig, BURST, i);
	}
}

static void count_release(void *addr, void *n)
{
	(*(unsigned int *)n)++;
	rte_free(addr);
}

TEST_F(tx_mbuf, an_external_buffer_is_released_once)
{
	enum { N = 200, BYTES = 1024 };
	unsigned int released = 0;

	for (uint32_t i = 0; i < N; i++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(self->pools[0]);
		struct rte_mbuf *data = port_rig_make_packet(&self->rig, FRAME, i);
		char *buf = rte_malloc("buffer", BYTES, 64);
		struct rte_mbuf_ext_shared_info *info;
		uint16_t bytes = BYTES;

		ASSERT_TRUE(m && data && buf);
		info = rte_pktmbuf_ext_shinfo_init_helper(buf, &bytes, count_release, &released);
		rte_pktmbuf_attach_extbuf(m, buf, 0, bytes, info);
		rte_pktmbuf_reset_headroom(m);
		memcpy(rte_pktmbuf_append(m, FRAME), rte_pktmbuf_mtod(data, void *), FRAME);
		rte_pktmbuf_free(data);
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		receive_packets(&self->rig, 1, i);
	}
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(N, released);
}
