/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ct.h"
#include "devx/dev.h"
#include "devx/netdev.h"

/*
 * Functions of lib/devx/netdev/netdev.c on a TAP. The program makes the TAP in a user and network
 * namespace of its own, so it needs no privilege and changes nothing on the machine.
 */

FIXTURE(netdev)
{
	struct devx_dev dev;
	struct devx_netdev now;
	char line[DEVX_TEXT_BYTES];
	int tap;
};

static bool write_file(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

/* Enters the namespaces at the first call; later calls return the same result. */
static bool enter_namespace(void)
{
	static int inside = -1;
	const unsigned uid = geteuid(), gid = getegid();
	char map[64];

	if (inside >= 0)
		return inside;
	inside = unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
	snprintf(map, sizeof(map), "0 %u 1", uid);
	inside = inside && write_file("/proc/self/uid_map", map);
	inside = inside && write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", gid);
	inside = inside && write_file("/proc/self/gid_map", map);
	return inside;
}

static int open_tap(const char *name)
{
	struct ifreq req = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", name);
	if (fd >= 0 && ioctl(fd, TUNSETIFF, &req) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

FIXTURE_SETUP(netdev)
{
	self->tap = -1;
	if (!enter_namespace())
		SKIP("this user may not create user and network namespaces");
	self->tap = open_tap("devx0");
	if (self->tap < 0)
		SKIP("cannot create a TAP: /dev/net/tun: %s", strerror(errno));
	strcpy(self->dev.ibdev, "mlx5_0");
	strcpy(self->dev.netdev, "devx0");
}

FIXTURE_TEARDOWN(netdev)
{
	if (self->tap >= 0)
		close(self->tap);
}

TEST_F(netdev, get_reads_the_state_of_a_new_tap)
{
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_LT(0, self->now.ifindex);
	EXPECT_EQ(1500, self->now.mtu);
	EXPECT_FALSE(self->now.up);
	EXPECT_FALSE(self->now.running);
	EXPECT_FALSE(self->now.promisc);
	EXPECT_FALSE(self->now.allmulti);
}

TEST_F(netdev, set_mac_changes_the_address)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 2, 0, 0, 0xab, 0xcd, 0xef };

	ASSERT_EQ(0, devx_netdev_set_mac(&self->dev, mac));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_MEMEQ(mac, self->now.mac, sizeof(mac));
}

/* Looks for a multicast address, 12 hex digits, in the kernel's list. */
static bool is_in_multicast_list(const char *digits)
{
	FILE *list = fopen("/proc/self/net/dev_mcast", "re");
	char line[256];
	bool found = false;

	while (list && fgets(line, sizeof(line), list))
		found = found || (strstr(line, "devx0") && strstr(line, digits));
	if (list)
		fclose(list);
	return found;
}

TEST_F(netdev, added_multicast_address_is_in_the_list_of_the_kernel)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 1, 0, 0x5e, 0x11, 0x22, 0x33 };

	EXPECT_FALSE(is_in_multicast_list("01005e112233"));
	ASSERT_EQ(0, devx_netdev_add_mac(&self->dev, mac));
	EXPECT_TRUE(is_in_multicast_list("01005e112233"));
	ASSERT_EQ(0, devx_netdev_remove_mac(&self->dev, mac));
	EXPECT_FALSE(is_in_multicast_list("01005e112233"));
}

TEST_F(netdev, kernel_holds_each_unicast_address_once)
{
	static const uint8_t mac[DEVX_NETDEV_MAC_BYTES] = { 2, 0, 0, 0, 0, 0x55 };
	int rc;

	ASSERT_EQ(0, devx_netdev_add_mac(&self->dev, mac));
	rc = devx_netdev_add_mac(&self->dev, mac);
	EXPECT_EQ(-EEXIST, rc);
	EXPECT_SUBSTR("02:00:00:00:00:55",
		      devx_strerror(&self->dev, rc, self->line, sizeof(self->line)));
	ASSERT_EQ(0, devx_netdev_remove_mac(&self->dev, mac));
	EXPECT_EQ(0, devx_netdev_remove_mac(&self->dev, mac)); /* absent */
	EXPECT_EQ(0, devx_netdev_add_mac(&self->dev, mac));
}

TEST_F(netdev, set_mtu_keeps_the_flags)
{
	ASSERT_EQ(0, devx_netdev_set_up(&self->dev, true));
	ASSERT_EQ(0, devx_netdev_set_mtu(&self->dev, 9000));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_EQ(9000, self->now.mtu);
	EXPECT_TRUE(self->now.up);
	EXPECT_TRUE(self->now.running);
}

TEST_F(netdev, each_flag_is_set_without_the_others)
{
	ASSERT_EQ(0, devx_netdev_set_promisc(&self->dev, true));
	ASSERT_EQ(0, devx_netdev_set_allmulti(&self->dev, true));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_TRUE(self->now.promisc);
	EXPECT_TRUE(self->now.allmulti);
	ASSERT_EQ(0, devx_netdev_set_promisc(&self->dev, false));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_FALSE(self->now.promisc);
	EXPECT_TRUE(self->now.allmulti);
	ASSERT_EQ(0, devx_netdev_set_up(&self->dev, true));
	ASSERT_EQ(0, devx_netdev_set_up(&self->dev, false));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_FALSE(self->now.up);
}

TEST_F(netdev, kernel_refuses_an_mtu_above_its_limit)
{
	const int rc = devx_netdev_set_mtu(&self->dev, 65535); /* largest MTU of a TAP: 65521 */

	EXPECT_EQ(-EINVAL, rc);
	EXPECT_SUBSTR("devx0", devx_strerror(&self->dev, rc, self->line, sizeof(self->line)));
}

/* The limit of a TAP is 65535 bytes minus its Ethernet header. */
TEST_F(netdev, get_max_mtu_reads_the_highest_mtu_that_the_kernel_takes)
{
	uint32_t max = 0;

	ASSERT_EQ(0, devx_netdev_get_max_mtu(&self->dev, &max));
	EXPECT_LT(max, DEVX_NETDEV_MTU_MAX);
	EXPECT_EQ(0, devx_netdev_set_mtu(&self->dev, max));
	EXPECT_EQ(-EINVAL, devx_netdev_set_mtu(&self->dev, max + 1));
	ASSERT_EQ(0, devx_netdev_get(&self->dev, &self->now));
	EXPECT_EQ(max, self->now.mtu);
}

TEST_F(netdev, functions_refuse_a_removed_netdev)
{
	close(self->tap);
	self->tap = -1;
	EXPECT_EQ(-ENODEV, devx_netdev_get(&self->dev, &self->now));
	EXPECT_EQ(-ENODEV, devx_netdev_get_max_mtu(&self->dev, &self->now.mtu));
	EXPECT_EQ(-ENODEV, devx_netdev_set_promisc(&self->dev, true));
	EXPECT_SUBSTR("devx0", devx_strerror(&self->dev, -ENODEV, self->line, sizeof(self->line)));
}
