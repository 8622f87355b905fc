/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>
#include <rte_flow.h>
#include <rte_mtr.h>

#include "port_rig.h"

/*
 * A port refuses what net_mlx5 has and net_devx has not, as doc/from-net_mlx5.md says: a program
 * that asks is not left in the belief that it works.
 */

FIXTURE(not_offered)
{
	struct port_rig rig;
};
FIXTURE_SETUP(not_offered)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(not_offered)
{
	port_rig_down(&self->rig);
}

static const struct offload {
	const char *name;
	uint64_t rx, tx, rss;
} offloads[] = {
	{ "buffer_split", .rx = RTE_ETH_RX_OFFLOAD_BUFFER_SPLIT },
	{ "LRO", .rx = RTE_ETH_RX_OFFLOAD_TCP_LRO },
	{ "send_on_timestamp", .tx = RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP },
	{ "TSO_in_IP", .tx = RTE_ETH_TX_OFFLOAD_IP_TNL_TSO },
	{ "TSO_in_UDP", .tx = RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO },
	{ "TSO_in_GENEVE", .tx = RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO },
	{ "two_tags", .tx = RTE_ETH_TX_OFFLOAD_QINQ_INSERT },
	{ "inner_RSS", .rss = RTE_ETH_RSS_IP | RTE_ETH_RSS_LEVEL_INNERMOST },
	{ "RSS_of_ESP", .rss = RTE_ETH_RSS_ESP },
};

TEST_F_EACH(not_offered, configure_refuses, struct offload, offloads)
{
	const struct port_rig_config config = {
		.eth = { .rxmode = { .offloads = row->rx,
				     .mq_mode = row->rss ? RTE_ETH_MQ_RX_RSS : RTE_ETH_MQ_RX_NONE },
			 .txmode.offloads = row->tx,
			 .rx_adv_conf.rss_conf.rss_hf = row->rss },
	};

	EXPECT_EQ(-EINVAL, port_rig_configure(&self->rig, &config));
}

TEST_F(not_offered, receive_queue_is_not_shared)
{
	const struct rte_eth_rxconf conf = { .share_group = 1 };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ .n_rxq = 1 }));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, PORT_RIG_RING, 0, &conf,
						  self->rig.pool));
}

TEST_F(not_offered, functions_of_queues_are_refused)
{
	struct rte_eth_hairpin_cap cap;
	uint64_t metadata = RTE_ETH_RX_METADATA_USER_MARK;

	EXPECT_EQ(-ENOTSUP, rte_eth_rx_metadata_negotiate(self->rig.port, &metadata));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ .n_rxq = 1 }));
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_hairpin_capability_get(self->rig.port, &cap));
	EXPECT_EQ(-ENOTSUP, rte_eth_rx_avail_thresh_set(self->rig.port, 0, 50));
}

TEST_F(not_offered, flows_and_meters_are_refused)
{
	const struct rte_flow_attr attr = { .ingress = 1 };
	const struct rte_flow_item items[] = { { .type = RTE_FLOW_ITEM_TYPE_ETH },
					       { .type = RTE_FLOW_ITEM_TYPE_END } };
	const struct rte_flow_action actions[] = { { .type = RTE_FLOW_ACTION_TYPE_DROP },
						   { .type = RTE_FLOW_ACTION_TYPE_END } };
	struct rte_flow_port_info ports;
	struct rte_flow_queue_info queues;
	struct rte_mtr_capabilities cap;
	struct rte_mtr_error mtr;
	struct rte_flow_error error;
	const uint16_t port = self->rig.port;

	EXPECT_EQ(-ENOSYS, rte_flow_validate(port, &attr, items, actions, &error));
	EXPECT_EQ(NULL, rte_flow_create(port, &attr, items, actions, &error));
	EXPECT_EQ(ENOSYS, rte_errno);
	EXPECT_EQ(-ENOSYS, rte_flow_isolate(port, 1, &error));
	EXPECT_EQ(-ENOSYS, rte_flow_info_get(port, &ports, &queues, &error));
	EXPECT_EQ(-ENOSYS, rte_mtr_capabilities_get(port, &cap, &mtr));
}
