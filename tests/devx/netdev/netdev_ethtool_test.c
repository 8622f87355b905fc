/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/capability.h>
#include <linux/ethtool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/dev.h"
#include "devx/netdev.h"
#include "devx/netdev_ethtool.h"
#include "devx/port.h"
#include "wait_limit.h"

/* The netdev of a port: a TAP under devx-emu, mlx5_core's netdev in a guest. */
FIXTURE(netdev_ethtool)
{
	struct devx_dev dev;
	struct devx_netdev_stats stats;
	char line[DEVX_TEXT_BYTES];
};

FIXTURE_SETUP(netdev_ethtool)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, "mlx5_0"));
	ASSERT_NE(0, self->dev.netdev[0]);
}

FIXTURE_TEARDOWN(netdev_ethtool)
{
	devx_netdev_stats_destroy(&self->stats);
	devx_dev_close(&self->dev);
}

static const char *get_reason(struct ct_fix_netdev_ethtool *self, int rc)
{
	return devx_strerror(&self->dev, rc, self->line, sizeof(self->line));
}

/* Returns whether firmware, netdev and verbs agree. The kernel follows the firmware later. */
static bool has_link(struct devx_dev *dev, bool up)
{
	struct devx_netdev_link link;
	uint32_t mbps;
	bool now;

	return !devx_port_query_link(dev, &now) && !devx_netdev_get_link(dev, &link) &&
	       !devx_port_query_speed(dev, &mbps) && now == up && (link.speed_mbps > 0) == up &&
	       (mbps > 0) == up;
}

/* Sets the netdev up or down, and waits until the link follows. */
static bool set_link(struct devx_dev *dev, bool up)
{
	if (devx_netdev_set_up(dev, up))
		return false;
	for (int i = 0; i < WAIT_LIMIT_MS; i++) {
		if (has_link(dev, up))
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

TEST_F(netdev_ethtool, speed_is_known_while_the_link_is_up)
{
	enum { MODE = ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT };
	struct devx_netdev_link link;
	uint32_t mbps = 1;

	ASSERT_TRUE(set_link(&self->dev, false));
	ASSERT_EQ(0, devx_netdev_get_link(&self->dev, &link));
	EXPECT_EQ(0, link.speed_mbps);
	EXPECT_EQ(0, devx_port_query_speed(&self->dev, &mbps));
	EXPECT_EQ(0, mbps);
	ASSERT_TRUE(set_link(&self->dev, true));
	ASSERT_EQ(0, devx_netdev_get_link(&self->dev, &link));
	EXPECT_EQ(100000, link.speed_mbps);
	EXPECT_FALSE(link.half_duplex);
	EXPECT_TRUE(link.autoneg);
	EXPECT_TRUE(link.supported[MODE / 32] >> MODE % 32 & 1);
	EXPECT_EQ(0, devx_port_query_speed(&self->dev, &mbps));
	EXPECT_EQ(100000, mbps);
}

TEST_F(netdev_ethtool, pause_frames_are_off_and_fixed)
{
	struct devx_netdev_pause pause = { true, true, true };

	ASSERT_EQ(0, devx_netdev_get_pause(&self->dev, &pause));
	EXPECT_FALSE(pause.rx || pause.tx || pause.autoneg);
	pause.rx = true;
	EXPECT_EQ(-EOPNOTSUPP, devx_netdev_set_pause(&self->dev, &pause));
	EXPECT_SUBSTR("cannot change the flow control of network interface",
		      get_reason(self, -EOPNOTSUPP));
}

TEST_F(netdev_ethtool, unreadable_module_is_refused)
{
	struct devx_netdev_module module;
	uint8_t byte;

	EXPECT_EQ(-EIO, devx_netdev_get_module(&self->dev, &module));
	EXPECT_SUBSTR("cannot read the module of network interface", get_reason(self, -EIO));
	EXPECT_GT(0, devx_netdev_read_module(&self->dev, 0, &byte, 1));
}

TEST_F(netdev_ethtool, change_without_the_right_is_refused)
{
	struct __user_cap_header_struct hdr = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct devx_netdev_pause pause = { 0 };
	struct __user_cap_data_struct caps[2], fewer[2];

	ASSERT_EQ(0, syscall(SYS_capget, &hdr, caps));
	memcpy(fewer, caps, sizeof(fewer));
	fewer[0].effective &= ~(1u << CAP_NET_ADMIN);
	ASSERT_EQ(0, syscall(SYS_capset, &hdr, fewer));
	EXPECT_EQ(-EPERM, devx_netdev_set_pause(&self->dev, &pause));
	EXPECT_EQ(0, syscall(SYS_capset, &hdr, caps));
	EXPECT_SUBSTR("CAP_NET_ADMIN", get_reason(self, -EPERM));
}

TEST_F(netdev_ethtool, statistics_are_found_by_name)
{
	static const char *const names[] = { "tx_vport_broadcast_packets", "no_such_statistic",
					     "rx_vport_unicast_bytes", "rx_packets_phy" };
	enum { N = sizeof(names) / sizeof(names[0]) };
	struct devx_port_counters port;
	uint64_t values[N] = { 1, 1, UINT64_MAX, UINT64_MAX };

	ASSERT_EQ(0, devx_netdev_stats_create(&self->stats, &self->dev, names, N));
	EXPECT_LE(0, self->stats.index[0]);
	EXPECT_EQ(-1, self->stats.index[1]);
	EXPECT_LE(0, self->stats.index[2]);
	EXPECT_LT(self->stats.index[2], self->stats.index[3]);
	ASSERT_EQ(0, devx_netdev_stats_read(&self->stats, values));
	ASSERT_EQ(0, devx_port_read_counters(&self->dev, &port));
	EXPECT_EQ(port.tx_broadcast.packets, values[0]);
	EXPECT_EQ(0, values[1]);
	EXPECT_EQ(port.rx_unicast.bytes, values[2]);
	EXPECT_GE(port.rx_unicast.packets + port.rx_multicast.packets + port.rx_broadcast.packets,
		  values[3]);
}

TEST_F(netdev_ethtool, missing_netdev_is_refused)
{
	static const char *const names[] = { "rx_packets_phy" };
	struct devx_netdev_link link = { .speed_mbps = 7 };
	uint64_t value = 7;

	ASSERT_EQ(0, devx_netdev_stats_create(&self->stats, &self->dev, names, 1));
	strcpy(self->dev.netdev, "no-such-netdev");
	EXPECT_EQ(-ENODEV, devx_netdev_get_link(&self->dev, &link));
	EXPECT_EQ(7, link.speed_mbps);
	EXPECT_SUBSTR("cannot read the link of network interface no-such-netdev",
		      get_reason(self, -ENODEV));
	EXPECT_EQ(-ENODEV, devx_netdev_stats_read(&self->stats, &value));
	EXPECT_EQ(7, value);
	devx_netdev_stats_destroy(&self->stats);
	EXPECT_EQ(-ENODEV, devx_netdev_stats_create(&self->stats, &self->dev, names, 1));
	EXPECT_EQ(NULL, self->stats.index);
	self->dev.netdev[0] = '\0';
	EXPECT_EQ(-ENODEV, devx_netdev_get_link(&self->dev, &link));
	EXPECT_SUBSTR("has no network interface", get_reason(self, -ENODEV));
}
