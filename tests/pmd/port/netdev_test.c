/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_bus_vdev.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "port_rig.h"

/*
 * The modes of the kernel's network interface that a port shares with an administrator. An ioctl
 * on a socket plays the administrator, so that the test does not trust lib/devx/netdev/netdev.c.
 */

FIXTURE(netdev)
{
	struct port_rig rig;
	struct ifreq req; /* name and flags of the network interface */
	int sock;
};

static bool read_flags(struct ct_fix_netdev *self)
{
	return !ioctl(self->sock, SIOCGIFFLAGS, &self->req);
}

static bool set_flag(struct ct_fix_netdev *self, short flag, bool on)
{
	if (!read_flags(self))
		return false;
	self->req.ifr_flags =
		(short)(on ? self->req.ifr_flags | flag : self->req.ifr_flags & ~flag);
	return !ioctl(self->sock, SIOCSIFFLAGS, &self->req);
}

static bool has_flag(struct ct_fix_netdev *self, short flag)
{
	return read_flags(self) && self->req.ifr_flags & flag;
}

FIXTURE_SETUP(netdev)
{
	self->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	port_rig_probe(&self->rig);
	if (!self->rig.has_netdev)
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	snprintf(self->req.ifr_name, sizeof(self->req.ifr_name), "%s",
		 devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.netdev);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/* Tests named close_* close the port themselves, to look at the interface after that. */
FIXTURE_TEARDOWN(netdev)
{
	if (self->rig.pool)
		port_rig_down(&self->rig);
	close(self->sock);
}

static void close_port(struct ct_fix_netdev *self)
{
	port_rig_down(&self->rig);
	self->rig.pool = NULL;
}

static const struct mode {
	const char *name;
	short flag;
	int (*enable)(uint16_t port);
	int (*disable)(uint16_t port);
} modes[] = {
	{ "promiscuous", IFF_PROMISC, rte_eth_promiscuous_enable, rte_eth_promiscuous_disable },
	{ "all_multicast", IFF_ALLMULTI, rte_eth_allmulticast_enable,
	  rte_eth_allmulticast_disable },
};

TEST_F_EACH(netdev, close_clears_a_flag_that_the_port_set, struct mode, modes)
{
	ASSERT_FALSE(has_flag(self, row->flag));
	ASSERT_EQ(0, row->enable(self->rig.port));
	EXPECT_TRUE(has_flag(self, row->flag));
	close_port(self);
	EXPECT_FALSE(has_flag(self, row->flag));
}

TEST_F_EACH(netdev, close_keeps_a_flag_that_an_administrator_set, struct mode, modes)
{
	ASSERT_TRUE(set_flag(self, row->flag, true));
	EXPECT_EQ(0, row->enable(self->rig.port));
	close_port(self);
	EXPECT_TRUE(has_flag(self, row->flag));
	EXPECT_TRUE(set_flag(self, row->flag, false));
}

TEST_F_EACH(netdev, disable_keeps_a_flag_that_an_administrator_set, struct mode, modes)
{
	ASSERT_TRUE(set_flag(self, row->flag, true));
	EXPECT_EQ(0, row->enable(self->rig.port));
	EXPECT_EQ(0, row->disable(self->rig.port));
	EXPECT_TRUE(has_flag(self, row->flag));
	EXPECT_TRUE(set_flag(self, row->flag, false));
	EXPECT_EQ(0, row->enable(self->rig.port));
	EXPECT_TRUE(has_flag(self, row->flag));
	EXPECT_EQ(0, row->disable(self->rig.port));
	EXPECT_FALSE(has_flag(self, row->flag));
}

/* Whichever call fails: the interface is up after a probe, or the probe says that it is not. */
TEST_F(netdev, probe_sets_the_netdev_up)
{
	bool fired = true;
	int n_warnings = 0;

	port_rig_remove_port(&self->rig);
	for (int k = 0; fired && k < 100; k++) {
		SCOPED_TRACE("call %d about the netdev fails", k);
		ASSERT_TRUE(set_flag(self, IFF_UP, false));
		port_rig_read_log();
		driver_calls_fail_netdev(k);
		const int rc = port_rig_init_vdev("net_devx0", "ibdev=mlx5_0");

		fired = driver_calls_get_pending_netdev_fault() < 0;
		driver_calls_fail_netdev(-1);
		const bool warned = strstr(port_rig_read_log(), "the driver cannot set it up");

		if (!rc) {
			EXPECT_EQ(!warned, has_flag(self, IFF_UP));
			EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
		}
		n_warnings += warned;
	}
	EXPECT_FALSE(fired);
	EXPECT_EQ(2, n_warnings); /* reads the netdev, and changes it */
	port_rig_add_port(&self->rig);
}
