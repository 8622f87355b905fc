/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ct.h"
#include "devx/dev.h"
#include "devx/netdev.h"
#include "devx/port.h"
#include "needs_emu.h"
#include "wait_limit.h"

/* A device with a netdev: the port follows changes of its MTU and modes, but not of its MAC. */
FIXTURE(tap)
{
	struct devx_dev dev;
	struct devx_port port;
	struct devx_netdev netdev;
};

FIXTURE_SETUP(tap)
{
	ASSERT_EQ(0, devx_dev_open(&self->dev, "mlx5_0"));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->netdev));
}

FIXTURE_TEARDOWN(tap)
{
	devx_dev_close(&self->dev);
}

/*
 * Polls the port. emu changes the port only after a netlink message
 * about the netdev.
 */
static bool wait_for_port(struct devx_dev *dev, struct devx_port *port,
			  bool (*is)(const struct devx_port *, const void *), const void *want)
{
	for (int i = 0; i < WAIT_LIMIT_MS; i++) {
		if (devx_port_query(dev, port))
			return false;
		if (is(port, want))
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

static bool has_mtu(const struct devx_port *port, const void *want)
{
	return port->mtu == *(const uint32_t *)want;
}

static bool is_promisc(const struct devx_port *port, const void *want)
{
	return port->promisc == *(const bool *)want;
}

TEST_F(tap, netdev_is_found_and_agrees_with_the_port)
{
	ASSERT_EQ(0, devx_port_query(&self->dev, &self->port));
	EXPECT_STREQ("devx-tap", self->dev.netdev);
	EXPECT_EQ(self->netdev.mtu, self->port.mtu);
	EXPECT_MEMEQ(self->netdev.mac, self->port.mac, sizeof(self->port.mac));
}

TEST_F(tap, port_follows_the_mtu)
{
	for (uint32_t mtu = 1200; mtu <= 9000; mtu += 7800) {
		ASSERT_EQ(0, devx_netdev_set_mtu(&self->dev, mtu));
		EXPECT_TRUE(wait_for_port(&self->dev, &self->port, has_mtu, &mtu));
	}
}

TEST_F(tap, port_has_at_most_the_mtu_of_an_adapter)
{
	const uint32_t most = 9978;

	NEEDS_EMU("to have a TAP behind the port");
	ASSERT_EQ(0, devx_netdev_set_mtu(&self->dev, 65521)); /* the largest one of a TAP */
	EXPECT_TRUE(wait_for_port(&self->dev, &self->port, has_mtu, &most));
}

TEST_F(tap, port_keeps_its_permanent_address_when_the_netdevs_changes)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 2, 0xaa, 0xbb, 0xcc, 0xdd, 0xee };
	const struct devx_netdev was = self->netdev;

	ASSERT_EQ(0, devx_netdev_set_mac(&self->dev, mac));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->netdev));
	EXPECT_MEMEQ(mac, self->netdev.mac, sizeof(mac));
	ASSERT_EQ(0, devx_port_query(&self->dev, &self->port));
	EXPECT_MEMEQ(was.mac, self->port.mac, sizeof(self->port.mac));
	EXPECT_EQ(0, devx_netdev_set_mac(&self->dev, was.mac));
}

TEST_F(tap, port_follows_promiscuous_mode)
{
	for (int i = 1; i >= 0; i--) {
		const bool on = i;

		ASSERT_EQ(0, devx_netdev_set_promisc(&self->dev, on));
		EXPECT_TRUE(wait_for_port(&self->dev, &self->port, is_promisc, &on));
	}
}

/* Renames the directory of a netdev in the sysfs of emu. */
static int rename_netdev(const char *from, const char *to)
{
	const char *sys = getenv("SYSFS_PATH");
	char a[512], b[512];

	snprintf(a, sizeof(a), "%s/bus/pci/devices/0000:c1:00.0/net/%s", sys ? sys : "", from);
	snprintf(b, sizeof(b), "%s/bus/pci/devices/0000:c1:00.0/net/%s", sys ? sys : "", to);
	return rename(a, b);
}

/* As on a switchdev function, whose first netdev in sysfs may be a representor. */
TEST_F(tap, netlink_names_the_netdev_and_not_sysfs)
{
	struct devx_dev dev = { 0 };

	NEEDS_EMU("to change its sysfs");
	ASSERT_EQ(0, rename_netdev("devx-tap", "representor"));
	EXPECT_EQ(0, devx_dev_open(&dev, "mlx5_0"));
	EXPECT_STREQ("devx-tap", dev.netdev);
	devx_dev_close(&dev);
	EXPECT_EQ(0, rename_netdev("representor", "devx-tap"));
}
