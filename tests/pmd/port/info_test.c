/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "port_rig.h"

/* The limits of rte_eth_dev_info_get() are true: the port works at each of them. */

FIXTURE(info)
{
	struct port_rig rig;
	struct rte_eth_dev_info info;
	struct rte_mempool *small;
};
FIXTURE_SETUP(info)
{
	port_rig_probe(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &self->info));
}
FIXTURE_TEARDOWN(info)
{
	port_rig_down(&self->rig);
	rte_mempool_free(self->small);
}

static const struct port_rig_config scatter = {
	.eth = { .rxmode = { .offloads = RTE_ETH_RX_OFFLOAD_SCATTER } },
};

/* Sends a packet, and receives it in small buffers. */
static void exchange_scattered(const struct port_rig *rig, uint32_t bytes)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, bytes, bytes), *whole;

	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	whole = rte_pktmbuf_copy(m, rig->pool, 0, UINT32_MAX);
	ASSERT_NE(NULL, whole);
	port_rig_expect_packet(rig, whole, bytes, bytes);
	rte_pktmbuf_free(whole);
	rte_pktmbuf_free(m);
}

TEST_F(info, a_port_works_with_the_longest_send_ring)
{
	const struct port_rig_config config = { .n_tx_desc = self->info.tx_desc_lim.nb_max };
	struct rte_eth_txq_info queue;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(self->rig.port, 0, &queue));
	EXPECT_EQ(self->info.tx_desc_lim.nb_max, queue.nb_desc);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_exchange_one(&self->rig, 1);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(-EINVAL,
		  rte_eth_tx_queue_setup(self->rig.port, 0, self->info.tx_desc_lim.nb_max + 1u,
					 SOCKET_ID_ANY, NULL));
}

TEST_F(info, a_port_works_with_the_longest_receive_ring)
{
	const uint16_t n = self->info.rx_desc_lim.nb_max;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &scatter));
	self->small = rte_pktmbuf_pool_create("small", n + 64u, 0, 0, 2 * RTE_PKTMBUF_HEADROOM,
					      SOCKET_ID_ANY);
	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0,
		  rte_eth_rx_queue_setup(self->rig.port, 0, n, SOCKET_ID_ANY, NULL, self->small));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	for (uint32_t bytes = 60; bytes < 1500; bytes += 97)
		exchange_scattered(&self->rig, bytes);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, n + 1u, SOCKET_ID_ANY, NULL,
						  self->small));
}

TEST_F(info, a_port_works_with_the_smallest_buffers)
{
	const uint16_t room = RTE_PKTMBUF_HEADROOM + (uint16_t)self->info.min_rx_bufsize;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &scatter));
	self->small = rte_pktmbuf_pool_create("small", 8191, 0, 0, room, SOCKET_ID_ANY);
	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, PORT_RIG_RING, SOCKET_ID_ANY, NULL,
					    self->small));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	for (uint32_t bytes = 60; bytes < 1500; bytes += 97)
		exchange_scattered(&self->rig, bytes);
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	rte_mempool_free(self->small);
	self->small = rte_pktmbuf_pool_create("small", 8191, 0, 0, room - 1, SOCKET_ID_ANY);
	ASSERT_NE(NULL, self->small);
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, PORT_RIG_RING, SOCKET_ID_ANY,
						  NULL, self->small));
}

TEST_F(info, absent_features_have_no_limit)
{
	EXPECT_EQ(0, self->info.max_hash_mac_addrs);
	EXPECT_EQ(0, self->info.max_lro_pkt_size);
	EXPECT_EQ(0, self->info.max_vfs);
	EXPECT_EQ(0, self->info.max_vmdq_pools);
	EXPECT_EQ(0, self->info.rx_seg_capa.max_nseg);
	EXPECT_EQ(0, self->info.dev_capa &
			     (RTE_ETH_DEV_CAPA_RXQ_SHARE | RTE_ETH_DEV_CAPA_FLOW_RULE_KEEP));
	EXPECT_EQ(RTE_ETH_ERROR_HANDLE_MODE_PROACTIVE, self->info.err_handle_mode);
}

/* The kernel takes the MTU at both ends, on a netdev. */
FIXTURE(netdev_info)
{
	struct port_rig rig;
	struct rte_eth_dev_info info;
};
FIXTURE_SETUP(netdev_info)
{
	port_rig_probe(&self->rig);
	if (!self->rig.has_netdev)
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &self->info));
	/* without queues, whose buffers would limit the MTU */
	ASSERT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &(struct rte_eth_conf){ 0 }));
}
FIXTURE_TEARDOWN(netdev_info)
{
	port_rig_down(&self->rig);
}

TEST_F(netdev_info, a_port_takes_the_lowest_and_the_highest_mtu)
{
	const uint16_t port = self->rig.port;
	uint16_t mtu = 0;

	EXPECT_EQ(0, rte_eth_dev_set_mtu(port, self->info.min_mtu));
	EXPECT_NE(0, rte_eth_dev_set_mtu(port, (uint16_t)(self->info.min_mtu - 1)));
	EXPECT_EQ(0, rte_eth_dev_set_mtu(port, self->info.max_mtu));
	EXPECT_EQ(0, rte_eth_dev_get_mtu(port, &mtu));
	EXPECT_EQ(self->info.max_mtu, mtu);
	EXPECT_NE(0, rte_eth_dev_set_mtu(port, (uint16_t)(self->info.max_mtu + 1)));
	EXPECT_EQ(self->info.max_rx_pktlen,
		  (uint32_t)self->info.max_mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN);
	EXPECT_EQ(0, rte_eth_dev_set_mtu(port, RTE_ETHER_MTU));
}
