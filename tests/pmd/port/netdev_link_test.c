/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "devx_port.h"
#include "port_rig.h"

/*
 * Link, MTU and counters of a port whose netdev an administrator changes. An ioctl on a socket
 * plays the administrator, so that the test does not trust lib/devx/netdev/netdev.c.
 */

FIXTURE(netdev_link)
{
	struct port_rig rig;
	struct ifreq req;
	int sock, mtu;                  /* mtu: of the netdev before the test */
	int64_t vport_state, nic_vport; /* options of emu that the test changed; -1: unchanged */
};

static int get_netdev_mtu(struct ct_fix_netdev_link *self)
{
	return ioctl(self->sock, SIOCGIFMTU, &self->req) ? -errno : self->req.ifr_mtu;
}

static bool set_netdev_mtu(struct ct_fix_netdev_link *self, int mtu)
{
	self->req.ifr_mtu = mtu;
	return !ioctl(self->sock, SIOCSIFMTU, &self->req);
}

FIXTURE_SETUP(netdev_link)
{
	self->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	self->vport_state = self->nic_vport = -1;
	port_rig_probe(&self->rig);
	if (!self->rig.has_netdev)
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	snprintf(self->req.ifr_name, sizeof(self->req.ifr_name), "%s",
		 devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.netdev);
	self->mtu = get_netdev_mtu(self);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	port_rig_read_log();
}

FIXTURE_TEARDOWN(netdev_link)
{
	if (self->rig.pool)
		port_rig_down(&self->rig);
	if (self->mtu > 0)
		set_netdev_mtu(self, self->mtu); /* a test may have deleted the netdev */
	close(self->sock);
	if (self->vport_state >= 0)
		self->rig.emu->option("query_vport_state", (uint32_t)self->vport_state);
	if (self->nic_vport >= 0)
		self->rig.emu->option("query_nic_vport", (uint32_t)self->nic_vport);
}

static bool is_netdev_up(struct ct_fix_netdev_link *self)
{
	return !ioctl(self->sock, SIOCGIFFLAGS, &self->req) && self->req.ifr_flags & IFF_UP;
}

static bool set_netdev_up(struct ct_fix_netdev_link *self, bool up)
{
	if (ioctl(self->sock, SIOCGIFFLAGS, &self->req))
		return false;
	self->req.ifr_flags =
		(short)(up ? self->req.ifr_flags | IFF_UP : self->req.ifr_flags & ~IFF_UP);
	return !ioctl(self->sock, SIOCSIFFLAGS, &self->req);
}

/* The speed of a kernel's netdev may come after its carrier. */
static bool is_link(const struct port_rig *rig, void *arg)
{
	const struct rte_eth_link *want = arg;
	struct rte_eth_link link;

	EXPECT_EQ(0, rte_eth_link_get_nowait(rig->port, &link));
	return link.link_status == want->link_status && link.link_speed == want->link_speed;
}

static void expect_link(struct ct_fix_netdev_link *self, int status)
{
	const bool up = status == RTE_ETH_LINK_UP;
	struct rte_eth_link link = { .link_speed = up ? 100000 : RTE_ETH_SPEED_NUM_NONE,
				     .link_status = up };

	EXPECT_TRUE(port_rig_wait_until(is_link, &self->rig, &link));
	EXPECT_EQ(0, rte_eth_link_get_nowait(self->rig.port, &link));
	EXPECT_TRUE(link.link_duplex == RTE_ETH_LINK_FULL_DUPLEX);
}

TEST_F(netdev_link, speed_is_read_when_the_link_comes_up)
{
	struct rte_eth_dev_info info;
	struct rte_eth_link link;

	ASSERT_TRUE(set_netdev_up(self, false));
	expect_link(self, RTE_ETH_LINK_DOWN);
	devx_eth_port_get(&rte_eth_devices[self->rig.port])->port.speed_mbps = 40000;
	ASSERT_TRUE(set_netdev_up(self, true));
	expect_link(self, RTE_ETH_LINK_UP);
	EXPECT_EQ(0, rte_eth_link_get(self->rig.port, &link));
	EXPECT_EQ(100000, link.link_speed);
	EXPECT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_EQ(RTE_ETH_LINK_SPEED_100G, info.speed_capa);
}

TEST_F(netdev_link, application_sets_the_link)
{
	ASSERT_EQ(0, rte_eth_dev_set_link_down(self->rig.port));
	EXPECT_FALSE(is_netdev_up(self));
	expect_link(self, RTE_ETH_LINK_DOWN);
	ASSERT_EQ(0, rte_eth_dev_set_link_up(self->rig.port));
	EXPECT_TRUE(is_netdev_up(self));
	expect_link(self, RTE_ETH_LINK_UP);
}

TEST_F(netdev_link, link_is_that_of_the_netdev_if_firmware_does_not_tell_it)
{
	NEEDS_EMU("to refuse commands");
	port_rig_remove_port(&self->rig);
	self->vport_state = self->rig.emu->option("query_vport_state", 0);
	self->nic_vport = self->rig.emu->option("query_nic_vport", 0);
	port_rig_add_port(&self->rig);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_link(self, RTE_ETH_LINK_UP);
	ASSERT_TRUE(set_netdev_up(self, false));
	expect_link(self, RTE_ETH_LINK_DOWN);
	ASSERT_TRUE(set_netdev_up(self, true));
	expect_link(self, RTE_ETH_LINK_UP);
	EXPECT_EQ(0, rte_eth_promiscuous_enable(self->rig.port));
}

TEST_F(netdev_link, info_has_the_index_of_the_netdev)
{
	struct rte_eth_dev_info info;

	EXPECT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_NE(0, info.if_index);
	EXPECT_EQ(if_nametoindex(self->req.ifr_name), info.if_index);
}

TEST_F(netdev_link, flow_control_and_module_are_those_of_the_netdev)
{
	uint8_t byte;
	struct rte_dev_eeprom_info eeprom = { .data = &byte, .length = 1 };
	struct rte_eth_dev_module_info module;
	struct rte_eth_fc_conf fc = { .mode = RTE_ETH_FC_FULL, .autoneg = 1 };

	EXPECT_EQ(0, rte_eth_dev_flow_ctrl_get(self->rig.port, &fc));
	EXPECT_EQ(RTE_ETH_FC_NONE, fc.mode);
	EXPECT_EQ(0, fc.autoneg);
	fc.mode = RTE_ETH_FC_RX_PAUSE;
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_flow_ctrl_set(self->rig.port, &fc));
	EXPECT_SUBSTR("flow control: cannot change the flow control of network interface",
		      port_rig_read_log());
	EXPECT_EQ(-EIO, rte_eth_dev_get_module_info(self->rig.port, &module));
	EXPECT_SUBSTR("module: cannot read the module", port_rig_read_log());
	EXPECT_EQ(-EIO, rte_eth_dev_get_module_eeprom(self->rig.port, &eeprom));
}

/* ---- MTU -------------------------------------------------------------------------------- */

static uint16_t get_port_mtu(struct ct_fix_netdev_link *self)
{
	uint16_t mtu = 0;

	EXPECT_EQ(0, rte_eth_dev_get_mtu(self->rig.port, &mtu));
	return mtu;
}

static void expect_dropped_packet(struct ct_fix_netdev_link *self, uint32_t bytes)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, bytes, 0);

	ASSERT_NE(NULL, m);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
	EXPECT_EQ(1, rte_eth_tx_burst(self->rig.port, 0, &m, 1));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_bad_length_packets"));
}

TEST_F(netdev_link, start_reports_a_lowered_mtu)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_TRUE(set_netdev_mtu(self, 1000));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_SUBSTR("was lowered to 1000 bytes, below the 1500 bytes of the port",
		      port_rig_read_log());
	EXPECT_EQ(1000, get_port_mtu(self));
	expect_dropped_packet(self, 1000 + DEVX_ETH_OVERHEAD + 1);
}

TEST_F(netdev_link, link_update_reports_a_lowered_mtu_once)
{
	struct rte_eth_link link;

	ASSERT_TRUE(set_netdev_mtu(self, 900));
	EXPECT_EQ(0, rte_eth_link_get_nowait(self->rig.port, &link));
	EXPECT_SUBSTR("was lowered to 900 bytes", port_rig_read_log());
	EXPECT_EQ(900, get_port_mtu(self));
	EXPECT_EQ(0, rte_eth_link_get_nowait(self->rig.port, &link));
	EXPECT_STREQ("", port_rig_read_log());
	expect_dropped_packet(self, 900 + DEVX_ETH_OVERHEAD + 1);
}

TEST_F(netdev_link, set_mtu_changes_a_netdev_that_was_lowered)
{
	ASSERT_TRUE(set_netdev_mtu(self, 1000));
	ASSERT_EQ(0, rte_eth_dev_set_mtu(self->rig.port, 1500));
	EXPECT_EQ(1500, get_netdev_mtu(self));
	EXPECT_EQ(1500, get_port_mtu(self));
}

TEST_F(netdev_link, configure_raises_a_netdev_that_was_lowered)
{
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_TRUE(set_netdev_mtu(self, 1000));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	EXPECT_EQ(1500, get_netdev_mtu(self));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(1500, get_port_mtu(self));
	EXPECT_STREQ("", port_rig_read_log());
}

TEST_F(netdev_link, probe_takes_the_mtu_of_the_netdev)
{
	port_rig_remove_port(&self->rig);
	ASSERT_TRUE(set_netdev_mtu(self, 2000));
	port_rig_add_port(&self->rig);
	EXPECT_EQ(2000, get_port_mtu(self));
}

/* In the test above firmware reports the same MTU. */
TEST_F(netdev_link, probe_takes_the_mtu_of_the_netdev_if_firmware_does_not_tell_it)
{
	NEEDS_EMU("to refuse commands");
	port_rig_remove_port(&self->rig);
	self->nic_vport = self->rig.emu->option("query_nic_vport", 0);
	ASSERT_EQ(1, self->nic_vport);
	ASSERT_TRUE(set_netdev_mtu(self, 2000));
	port_rig_add_port(&self->rig);
	EXPECT_EQ(2000, get_port_mtu(self));
}

/* ---- counters --------------------------------------------------------------------------- */

enum { PACKETS = 20, PACKET_BYTES = 200 };

static bool are_sent(const struct port_rig *rig, void *arg)
{
	return port_rig_get_counters(rig).tx_uc_packets >= *(const uint64_t *)arg;
}

/* Sends unicast packets and waits until the wire has them. */
static void send_packets(struct ct_fix_netdev_link *self, struct devx_emu_counters *before)
{
	struct rte_mbuf *m[PACKETS];
	uint64_t want;

	*before = port_rig_get_counters(&self->rig);
	want = before->tx_uc_packets + PACKETS;
	for (uint32_t i = 0; i < PACKETS; i++) {
		m[i] = port_rig_make_packet(&self->rig, PACKET_BYTES, i);
		ASSERT_NE(NULL, m[i]);
	}
	ASSERT_TRUE(port_rig_send(&self->rig, m, PACKETS));
	EXPECT_TRUE(port_rig_wait_until(are_sent, &self->rig, &want));
}

TEST_F(netdev_link, counters_of_the_port_equal_those_of_the_wire)
{
	struct devx_emu_counters before, after;
	struct rte_eth_stats stats;

	NEEDS_EMU("to compare with its counters");
	expect_link(self, RTE_ETH_LINK_UP);
	ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	send_packets(self, &before);
	after = port_rig_get_counters(&self->rig);
	EXPECT_EQ(PACKETS, after.tx_uc_packets - before.tx_uc_packets);
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	EXPECT_EQ(PACKETS * PACKET_BYTES, port_rig_get_xstat(&self->rig, "tx_phy_bytes"));
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_unicast_packets"));
	EXPECT_EQ(PACKETS * PACKET_BYTES, port_rig_get_xstat(&self->rig, "tx_unicast_bytes"));
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_q0_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_phy_errors"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_phy_crc_errors"));
	EXPECT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(PACKETS, stats.opackets);

	ASSERT_EQ(0, rte_eth_xstats_reset(self->rig.port));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_unicast_bytes"));
	send_packets(self, &before);
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_unicast_packets"));
}

TEST_F(netdev_link, counter_that_the_netdev_lacks_is_hidden)
{
	uint64_t id;

	/* mlx5_core of this adapter has no counters of discarded frames by priority */
	EXPECT_EQ(-EINVAL, rte_eth_xstats_get_id_by_name(self->rig.port,
							 "rx_prio0_buf_discard_packets", &id));
	EXPECT_EQ(0, rte_eth_xstats_get_id_by_name(self->rig.port, "rx_phy_discard_packets", &id));
}

/* ---- no netdev ---------------------------------------------------------------------------- */

TEST(port_without_netdev, refuses_what_only_a_netdev_has)
{
	struct rte_eth_dev_module_info module;
	struct rte_eth_fc_conf fc = { 0 };
	struct port_rig rig = { 0 };
	struct rte_eth_dev_info info;
	struct rte_eth_link link;
	uint64_t id;

	port_rig_up(&rig, &(struct port_rig_config){ 0 });
	if (rig.has_netdev) {
		port_rig_down(&rig);
		SKIP("the port has a network interface");
	}
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_set_link_down(rig.port));
	EXPECT_SUBSTR("state of the link: cannot be changed, because the port has no network",
		      port_rig_read_log());
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_set_link_up(rig.port));
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_flow_ctrl_get(rig.port, &fc));
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_flow_ctrl_set(rig.port, &fc));
	port_rig_read_log();
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_get_module_info(rig.port, &module));
	EXPECT_SUBSTR("module: unsupported, because the port has no network", port_rig_read_log());
	EXPECT_GT(0, rte_eth_xstats_get_id_by_name(rig.port, "rx_phy_packets", &id));
	EXPECT_EQ(0, rte_eth_link_get(rig.port, &link));
	EXPECT_EQ(100000, link.link_speed);
	EXPECT_EQ(0, rte_eth_dev_info_get(rig.port, &info));
	EXPECT_EQ(0, info.if_index);
	port_rig_down(&rig);
}

/* ---- deleted netdev: a process of its own, because the netdev does not come back --------- */

TEST_F(netdev_link, deleted_netdev_leaves_the_port_usable)
{
	struct devx_emu_counters before;
	char command[80];

	NEEDS_EMU("to delete its TAP");
	expect_link(self, RTE_ETH_LINK_UP);
	send_packets(self, &before);
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	/* without the preload: a sanitizer that it brings would judge the leaks of ip */
	snprintf(command, sizeof(command), "LD_PRELOAD= ip link delete %s", self->req.ifr_name);
	ASSERT_EQ(0, system(command));
	expect_link(self, RTE_ETH_LINK_DOWN);
	port_rig_read_log();
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	EXPECT_SUBSTR(
		"cannot read the statistics of the physical port; they keep their last values",
		port_rig_read_log());
	EXPECT_EQ(PACKETS, port_rig_get_xstat(&self->rig, "tx_phy_packets"));
	EXPECT_STREQ("", port_rig_read_log());
	EXPECT_EQ(-ENODEV, rte_eth_dev_set_link_up(self->rig.port));
	EXPECT_SUBSTR("cannot set the link up", port_rig_read_log());
	EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}
