/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "port_rig.h"

/*
 * Frames that are longer than the only buffer of their WQE. The port of the device takes them: its
 * MTU is 9978. The pool has CANARY bytes behind each buffer, which nobody may write.
 */

enum {
	MTU = 1500,
	DEVICE_MTU = 9978,
	ROOM = 2048, /* bytes of a buffer behind its headroom */
	CANARY = 256,
	FRAME_MAX = 4096,
	N_MBUFS = 1023,
	RING = 128,
	FILL = 0xc5,
};

FIXTURE(long_frame)
{
	struct port_rig rig;
	struct rte_mempool *guarded; /* for receiving */
	struct rte_mempool *big;     /* for sending: a frame in one mbuf */
};

static void fill_canary(struct rte_mempool *pool, void *arg, void *obj, unsigned int i)
{
	struct rte_mbuf *m = obj;

	RTE_SET_USED(pool);
	RTE_SET_USED(arg);
	RTE_SET_USED(i);
	memset((char *)m->buf_addr + m->buf_len, FILL, CANARY);
}

static void expect_canary(struct rte_mempool *pool, void *arg, void *obj, unsigned int i)
{
	const struct rte_mbuf *m = obj;
	uint8_t want[CANARY];

	RTE_SET_USED(pool);
	RTE_SET_USED(arg);
	SCOPED_TRACE("mbuf %u", i);
	memset(want, FILL, CANARY);
	EXPECT_MEMEQ(want, (char *)m->buf_addr + m->buf_len, CANARY);
}

static struct rte_mempool *create_guarded_pool(void)
{
	struct rte_pktmbuf_pool_private priv = { .mbuf_data_room_size =
							 RTE_PKTMBUF_HEADROOM + ROOM };

	return rte_mempool_create("guarded", N_MBUFS,
				  sizeof(struct rte_mbuf) + RTE_PKTMBUF_HEADROOM + ROOM + CANARY, 0,
				  sizeof(priv), rte_pktmbuf_pool_init, &priv, rte_pktmbuf_init,
				  NULL, SOCKET_ID_ANY, 0);
}

static void start_port(struct ct_fix_long_frame *self)
{
	const struct rte_eth_conf conf = { .rxmode.mtu = MTU };
	const uint16_t port = self->rig.port;
	struct devx_eth_txq *txq;

	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(port, 0, RING, 0, NULL, self->guarded));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(port, 0, RING, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	txq = rte_eth_devices[port].data->tx_queues[0];
	txq->max_bytes = FRAME_MAX; /* another port of the network has a larger MTU */
}

FIXTURE_SETUP(long_frame)
{
	struct rte_eth_dev_info info;

	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	if (info.max_mtu < DEVICE_MTU)
		SKIP("the MTU of the port is %u; run devx-emu with --mtu %d", info.max_mtu,
		     DEVICE_MTU);
	self->guarded = create_guarded_pool();
	self->big = rte_pktmbuf_pool_create("big", 127, 0, 0, RTE_PKTMBUF_HEADROOM + FRAME_MAX, 0);
	ASSERT_NE(NULL, self->guarded);
	ASSERT_NE(NULL, self->big);
	rte_mempool_obj_iter(self->guarded, fill_canary, NULL);
	start_port(self);
}
FIXTURE_TEARDOWN(long_frame)
{
	port_rig_down(&self->rig);
	if (self->guarded)
		rte_mempool_obj_iter(self->guarded, expect_canary, NULL);
	mbuf_pool_free(self->guarded);
	mbuf_pool_free(self->big);
}

static void send_frame(struct ct_fix_long_frame *self, uint16_t bytes, uint8_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(self->big);
	struct rte_ether_hdr *eth;

	ASSERT_NE(NULL, m);
	eth = (struct rte_ether_hdr *)rte_pktmbuf_append(m, bytes);
	memset(eth, seed, bytes);
	eth->dst_addr = eth->src_addr = self->rig.mac;
	eth->ether_type = rte_cpu_to_be_16(0x88b5); /* for local experiments */
	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
}

/* Expects the frame of @seed, which fills a buffer. Returns false if no frame came. */
static bool receive_full_buffer(struct ct_fix_long_frame *self, uint8_t seed)
{
	struct rte_mbuf *m;

	if (!port_rig_receive(&self->rig, &m, 1))
		return false;
	EXPECT_EQ(ROOM, m->pkt_len);
	EXPECT_EQ(seed, *rte_pktmbuf_mtod_offset(m, uint8_t *, ROOM - 1));
	rte_pktmbuf_free(m);
	return true;
}

TEST_F(long_frame, is_dropped_and_counted_and_its_buffer_used_again)
{
	static const uint16_t too_long[] = { ROOM + 1,   ROOM + 64,  ROOM + 127,
					     ROOM + 128, ROOM + 129, FRAME_MAX };
	enum { ROUNDS = 2 * N_MBUFS / RTE_DIM(too_long) }; /* more frames than mbufs */
	struct rte_eth_stats stats;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (unsigned int i = 0; i < RTE_DIM(too_long); i++)
			send_frame(self, too_long[i], 1);
		send_frame(self, ROOM, (uint8_t)round);
		ASSERT_TRUE(receive_full_buffer(self, (uint8_t)round));
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(ROUNDS, stats.ipackets);
	EXPECT_EQ(ROUNDS * RTE_DIM(too_long), stats.ierrors);
	EXPECT_EQ(stats.ierrors, port_rig_get_xstat(&self->rig, "rx_too_long_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_recoveries"));
}

/* emu drops no frame with another error and stays in RDY, so the test counts one. */
TEST_F(long_frame, another_error_counts_as_an_error_of_port_and_queue)
{
	struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
	struct rte_eth_stats stats;

	rxq->n.failed++;
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(1, stats.ierrors);
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "rx_failed_packets"));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "rx_q0_errors"));
	ASSERT_EQ(0, rte_eth_stats_reset(self->rig.port));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_failed_packets"));
}
