/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/netdev.h"
#include "devx_port.h"
#include "port_rig.h"

/* MTU, MAC address, link, starts, statistics and burst modes of a port. */

FIXTURE(port)
{
	struct port_rig rig;
};
FIXTURE_SETUP(port)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(port)
{
	port_rig_down(&self->rig);
}

/* Results of setting an MTU: without a netdev 1500 is the largest, with one the netdev decides. */
static const struct mtu {
	const char *name;
	uint16_t mtu;
	int rc, rc_of_netdev;
} mtus[] = {
	{ "67", 67, -EINVAL, -EINVAL },
	{ "68", 68, 0, 0 },
	{ "1500", 1500, 0, 0 },
	{ "1501", 1501, -EINVAL, 0 },
	{ "65535", 65535, -EINVAL, -EINVAL },
};

TEST_F_EACH(port, set_mtu_accepts_or_refuses, struct mtu, mtus)
{
	const int rc = self->rig.has_netdev ? row->rc_of_netdev : row->rc;
	uint16_t mtu = 0;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(rc, rte_eth_dev_set_mtu(self->rig.port, row->mtu));
	EXPECT_EQ(0, rte_eth_dev_get_mtu(self->rig.port, &mtu));
	EXPECT_EQ(rc ? 1500 : row->mtu, mtu);
	if (mtu != 1500)
		EXPECT_EQ(0, rte_eth_dev_set_mtu(self->rig.port, 1500));
}

/* net_mlx5 also reports the request of the application. */
TEST_F(port, a_fixed_speed_has_no_autonegotiation)
{
	struct port_rig_config config = { 0 };
	struct rte_eth_link link;

	for (int fixed = 0; fixed < 2; fixed++) {
		config.eth.link_speeds =
			fixed ? RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100G : 0;
		ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		ASSERT_EQ(0, rte_eth_link_get_nowait(self->rig.port, &link));
		EXPECT_TRUE(link.link_autoneg == !fixed);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
}

static void expect_no_other_mac(const struct port_rig *rig)
{
	struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 9 } }, same = rig->mac, now;

	EXPECT_EQ(-ENOTSUP, rte_eth_dev_default_mac_addr_set(rig->port, &mac));
	EXPECT_SUBSTR("no network interface", port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &same));
	ASSERT_EQ(0, rte_eth_macaddr_get(rig->port, &now));
	EXPECT_MEMEQ(&same, &now, sizeof(now));
}

static void expect_another_mac(struct port_rig *rig)
{
	struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 9 } }, was = rig->mac;

	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &mac));
	rig->mac = mac;
	port_rig_exchange_one(rig, 1);
	rig->mac = was;
	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &was));
	port_rig_exchange_one(rig, 2);
}

TEST_F(port, MAC_address_changes_only_with_a_netdev)
{
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	if (self->rig.has_netdev)
		expect_another_mac(&self->rig);
	else
		expect_no_other_mac(&self->rig);
}

static bool has_link_status(const struct port_rig *rig, void *up)
{
	struct rte_eth_link link;

	return !rte_eth_link_get_nowait(rig->port, &link) && link.link_status == *(bool *)up;
}

TEST_F(port, link_status_follows_the_port)
{
	struct devx_dev *dev = &devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev;
	const struct devx_emu_ctl *emu = self->rig.emu;
	bool up = true, down = false;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &up));
	EXPECT_EQ(0, emu ? emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0)
			 : devx_netdev_set_up(dev, false));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &down));
	EXPECT_EQ(0,
		  emu ? emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0) : devx_netdev_set_up(dev, true));
	EXPECT_TRUE(port_rig_wait_until(has_link_status, &self->rig, &up));
}

TEST_F(port, a_hundred_starts_leave_nothing_behind)
{
	struct devx_emu_counters then;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	then = port_rig_start_and_stop(&self->rig);
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	}
	port_rig_expect_objects(&self->rig, &then);
}

TEST_F(port, names_of_extended_statistics_are_unique)
{
	struct rte_eth_xstat_name names[128];
	int n;

	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	n = rte_eth_xstats_get_names(self->rig.port, names, RTE_DIM(names));
	ASSERT_LT(20, n);
	ASSERT_GE((int)RTE_DIM(names), n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			EXPECT_STRNE(names[k].name, names[i].name);
}

TEST_F(port, burst_mode_names_the_burst_functions)
{
	struct rte_eth_burst_mode mode;

	ASSERT_EQ(0, port_rig_configure(
			     &self->rig,
			     &(struct port_rig_config){
				     .eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ("multi-packet WQE, pointers, fast free", mode.info);
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(self->rig.port, 0, &mode));
	EXPECT_STREQ(", one memory key", mode.info + strcspn(mode.info, ","));
}
