/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_port.h"
#include "devx_rxq.h"
#include "port_rig.h"

/* A change of VLAN stripping that fails at one queue, or at the receive rules behind them. */

enum { N_QUEUES = 3, VLAN = 7, K_MAX = 30 };

FIXTURE(vlan_strip)
{
	struct port_rig rig;
};
FIXTURE_SETUP(vlan_strip)
{
	const struct port_rig_config config = {
		.n_rxq = N_QUEUES,
		.eth.rxmode = { .mq_mode = RTE_ETH_MQ_RX_RSS,
				.offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER },
		.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP,
	};

	port_rig_up(&self->rig, &config);
	NEEDS_EMU("to make commands fail");
	ASSERT_EQ(0, rte_eth_dev_vlan_filter(self->rig.port, VLAN, 1));
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(self->rig.port, 1, 1));
	port_rig_read_log();
}
FIXTURE_TEARDOWN(vlan_strip)
{
	port_rig_down(&self->rig);
}

/* Expects the queues of @strips, a bit mask, to strip tags: in the driver and on the device. */
static void expect_states(const struct port_rig *rig, unsigned int strips)
{
	for (unsigned int i = 0; i < N_QUEUES; i++) {
		const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[i];
		const bool strip = strips >> i & 1;

		SCOPED_TRACE("queue %u", i);
		EXPECT_EQ(strip, (rxq->offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0);
		EXPECT_EQ(!strip, rxq->rq_keeps_vlan);
		EXPECT_EQ(!strip, rxq->rq_attr.keep_vlan);
	}
}

/* Fails command @k of a change to @offload. Return: whether the change makes so many */
static bool fail_change(const struct port_rig *rig, int k, int offload, int *rc)
{
	bool fired;

	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
	*rc = rte_eth_dev_set_vlan_offload(rig->port, offload);
	fired = rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND) < 0;
	rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
	return fired;
}

TEST_F(vlan_strip, failed_change_gives_each_queue_its_state_back)
{
	const struct port_rig *rig = &self->rig;
	const int both = RTE_ETH_VLAN_STRIP_OFFLOAD | RTE_ETH_VLAN_FILTER_OFFLOAD;
	int k = 0, rc = -1;

	expect_states(rig, 2);
	while (k < K_MAX && fail_change(rig, k, both, &rc)) {
		SCOPED_TRACE("command %d fails", k++);
		EXPECT_NE(0, rc);
		EXPECT_SUBSTR("cannot strip VLAN tags", port_rig_read_log());
		expect_states(rig, 2);
	}
	EXPECT_EQ(0, rc);
	EXPECT_LT(1, k); /* a command for each of two queues */
	expect_states(rig, 7);
	ASSERT_EQ(0, rte_eth_dev_set_vlan_offload(rig->port, RTE_ETH_VLAN_FILTER_OFFLOAD));
	expect_states(rig, 0);

	/* without a filter the port has other rules: the next command adds the first one */
	ASSERT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(rig->port, 1, 1));
	EXPECT_TRUE(fail_change(rig, k, RTE_ETH_VLAN_STRIP_OFFLOAD, &rc));
	EXPECT_NE(0, rc);
	expect_states(rig, 2);
	EXPECT_EQ(RTE_ETH_VLAN_FILTER_OFFLOAD, rte_eth_dev_get_vlan_offload(rig->port));
	EXPECT_EQ(0, rte_eth_dev_set_vlan_offload(rig->port, RTE_ETH_VLAN_STRIP_OFFLOAD));
	expect_states(rig, 7);
}
