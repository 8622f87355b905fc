/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devx/netdev.h"
#include "devx_port.h"
#include "driver_calls.h"
#include "port_rig.h"

/*
 * Each change of a setting, with a call failing: the first firmware command or ioctl, and each
 * allocation and each call about the network interface. A failed change leaves port and interface
 * as they were, and the next try succeeds. An ioctl on a socket and iproute2 look at the interface.
 * The kernel keeps a rule whose removal fails, so no test makes a removal fail.
 */

enum { MTU = 1400, K_MAX = 60 };

FIXTURE(settings_sweep)
{
	struct port_rig rig;
	char netdev[IFNAMSIZ];
	int sock;
};
static struct devx_eth *get_eth(const struct ct_fix_settings_sweep *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port]);
}

static void start_port(struct ct_fix_settings_sweep *self)
{
	const struct port_rig_config config = { .eth.rxmode.offloads =
							RTE_ETH_RX_OFFLOAD_VLAN_FILTER };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

FIXTURE_SETUP(settings_sweep)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to make calls fail");
	snprintf(self->netdev, sizeof(self->netdev), "%s", get_eth(self)->dev.netdev);
	start_port(self);
	self->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	self->rig.objects.descriptors++;
}
FIXTURE_TEARDOWN(settings_sweep)
{
	driver_calls_fail_alloc(-1);
	driver_calls_fail_netdev(-1);
	port_rig_down(&self->rig);
	if (self->sock)
		close(self->sock);
}

/* ---- settings ----------------------------------------------------------------------------- */

struct settings {
	struct rte_ether_addr mac, netdev_mac;
	int promisc, allmulti, mtu, netdev_mtu, netdev_flags, n_addresses;
};

/* Counts the addresses of the interface besides its own one. */
static int count_addresses(const struct ct_fix_settings_sweep *self)
{
	char line[200];
	FILE *fdb;
	int n = 0;

	/* without the preload: a sanitizer that it brings would judge the leaks of bridge */
	snprintf(line, sizeof(line), "LD_PRELOAD= bridge fdb show dev %s", self->netdev);
	fdb = popen(line, "r");
	while (fdb && fgets(line, sizeof(line), fdb))
		n += !strncmp(line, "02:", 3);
	EXPECT_EQ(0, fdb ? pclose(fdb) : -1);
	return n;
}

static void read_settings(const struct ct_fix_settings_sweep *self, struct settings *now)
{
	const uint16_t port = self->rig.port;
	struct ifreq req = { 0 };
	uint16_t mtu = 0;

	memset(now, 0, sizeof(*now));
	EXPECT_EQ(0, rte_eth_macaddr_get(port, &now->mac));
	EXPECT_EQ(0, rte_eth_dev_get_mtu(port, &mtu));
	now->mtu = mtu;
	now->promisc = rte_eth_promiscuous_get(port);
	now->allmulti = rte_eth_allmulticast_get(port);
	if (!self->netdev[0])
		return;
	memcpy(req.ifr_name, self->netdev, sizeof(self->netdev));
	EXPECT_EQ(0, ioctl(self->sock, SIOCGIFMTU, &req));
	now->netdev_mtu = req.ifr_mtu;
	EXPECT_EQ(0, ioctl(self->sock, SIOCGIFHWADDR, &req));
	memcpy(&now->netdev_mac, req.ifr_hwaddr.sa_data, sizeof(now->netdev_mac));
	EXPECT_EQ(0, ioctl(self->sock, SIOCGIFFLAGS, &req));
	now->netdev_flags = req.ifr_flags & (IFF_UP | IFF_PROMISC | IFF_ALLMULTI);
	now->n_addresses = count_addresses(self);
}

/* ---- changes ------------------------------------------------------------------------------ */

static struct rte_ether_addr first, other = { { 0x02, 0, 0, 0, 4, 1 } };
static struct rte_ether_addr group = { { 0x01, 0, 0x5e, 0, 4, 1 } };

static int set_mac(uint16_t port)
{
	return rte_eth_dev_default_mac_addr_set(port, &other);
}

static int return_mac(uint16_t port)
{
	return rte_eth_dev_default_mac_addr_set(port, &first);
}

static int add_mac(uint16_t port)
{
	return rte_eth_dev_mac_addr_add(port, &other, 0);
}

static int remove_mac(uint16_t port)
{
	return rte_eth_dev_mac_addr_remove(port, &other);
}

static int set_group(uint16_t port)
{
	return rte_eth_dev_set_mc_addr_list(port, &group, 1);
}

static int remove_group(uint16_t port)
{
	return rte_eth_dev_set_mc_addr_list(port, NULL, 0);
}

static int lower_mtu(uint16_t port)
{
	return rte_eth_dev_set_mtu(port, MTU);
}

static int raise_mtu(uint16_t port)
{
	return rte_eth_dev_set_mtu(port, RTE_ETHER_MTU);
}

static int add_vlan(uint16_t port)
{
	return rte_eth_dev_vlan_filter(port, 7, 1);
}

static int remove_vlan(uint16_t port)
{
	return rte_eth_dev_vlan_filter(port, 7, 0);
}

/* @netdev: only a port with a network interface can do it; @shows: struct settings has it */
static const struct change {
	const char *name;
	int (*apply)(uint16_t port), (*undo)(uint16_t port);
	bool netdev, shows;
} changes[] = {
	{ "promiscuous", rte_eth_promiscuous_enable, rte_eth_promiscuous_disable, false, true },
	{ "all_multicast", rte_eth_allmulticast_enable, rte_eth_allmulticast_disable, false, true },
	{ "address", set_mac, return_mac, true, true },
	{ "second_address", add_mac, remove_mac, false, false },
	{ "group", set_group, remove_group, false, false },
	{ "mtu", lower_mtu, raise_mtu, true, true },
	{ "vlan", add_vlan, remove_vlan, false, false },
	{ "link", rte_eth_dev_set_link_down, rte_eth_dev_set_link_up, true, true },
};

/* ---- faults ------------------------------------------------------------------------------- */

enum kind { COMMAND, IOCTL, ALLOCATION, NETDEV, N_KINDS };

static void arm_fault(const struct port_rig *rig, enum kind kind, int k)
{
	if (kind == NETDEV)
		driver_calls_fail_netdev(k);
	else if (kind == ALLOCATION)
		driver_calls_fail_alloc(k);
	else
		rig->emu->fail(kind == COMMAND ? DEVX_EMU_FAIL_COMMAND : DEVX_EMU_FAIL_IOCTL, k, 0);
}

/* Tells whether a fault fired, and disarms it. */
static bool end_fault(const struct port_rig *rig, enum kind kind)
{
	const int64_t left = kind == NETDEV       ? driver_calls_get_pending_netdev_fault()
			     : kind == ALLOCATION ? driver_calls_get_pending_fault()
			     : kind == COMMAND    ? rig->emu->fail_pending(DEVX_EMU_FAIL_COMMAND)
						  : rig->emu->fail_pending(DEVX_EMU_FAIL_IOCTL);

	arm_fault(rig, kind, -1);
	return left < 0;
}

static void expect_settings(const struct ct_fix_settings_sweep *self, const struct settings *want)
{
	struct settings now;

	read_settings(self, &now);
	EXPECT_MEMEQ(want, &now, sizeof(now));
}

/* Lets call @k of a change fail. Return: whether the change makes so many calls */
static bool try_change(struct ct_fix_settings_sweep *self, const struct change *change,
		       enum kind kind, int k, const struct settings *before,
		       const struct settings *after)
{
	const struct port_rig *rig = &self->rig;
	const struct driver_objects objects = driver_objects_count();
	bool fired;
	int rc;

	port_rig_read_log();
	arm_fault(rig, kind, k);
	rc = change->apply(rig->port);
	fired = end_fault(rig, kind);
	EXPECT_EQ(!rc, !strstr(port_rig_read_log(), "net_devx0 (mlx5_0): "));
	EXPECT_TRUE(fired || !rc);
	if (!rc && fired && change->apply == set_mac) /* a virtual function keeps the old address */
		EXPECT_EQ(0, devx_netdev_remove_mac(&get_eth(self)->dev, first.addr_bytes));
	expect_settings(self, rc ? before : after);
	if (rc)
		EXPECT_EQ(0, change->apply(rig->port));
	expect_settings(self, after);
	EXPECT_EQ(0, change->undo(rig->port));
	expect_settings(self, before);
	if (!self->netdev[0]) /* else the wire is a TAP, which returns no frame */
		port_rig_exchange_one(rig, (uint32_t)k);
	driver_objects_expect_all(&objects);
	return fired;
}

TEST_F_EACH(settings_sweep, failed_change_leaves_everything_as_before, struct change, changes)
{
	const struct port_rig *rig = &self->rig;
	struct settings before, after;

	if (row->netdev && !self->netdev[0])
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	first = rig->mac;
	read_settings(self, &before);
	ASSERT_EQ(0, row->apply(rig->port));
	read_settings(self, &after);
	if (row->shows)
		EXPECT_NE(0, memcmp(&before, &after, sizeof(after)));
	ASSERT_EQ(0, row->undo(rig->port));
	expect_settings(self, &before);
	for (enum kind kind = 0; kind < N_KINDS; kind++) {
		const int n = kind <= IOCTL ? 1 : K_MAX; /* only the first rule that it adds */
		bool fired = true;

		for (int k = 0; fired && k < n; k++) {
			SCOPED_TRACE("call %d of kind %d fails", k, (int)kind);
			fired = try_change(self, row, kind, k, &before, &after);
		}
		EXPECT_FALSE(fired && n == K_MAX);
	}
}

/* A probe that fails anywhere takes the address of a virtual function from the interface again. */
TEST_F(settings_sweep, failed_probe_leaves_no_address_behind)
{
	const struct port_rig *rig = &self->rig;
	bool fired = true;
	int n, rc = -1;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_remove_port(&self->rig);
	n = self->netdev[0] ? count_addresses(self) : 0;
	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("command %d fails", k);
		arm_fault(rig, COMMAND, k);
		rc = port_rig_init_vdev("net_devx0", "ibdev=mlx5_0");
		fired = end_fault(rig, COMMAND);
		if (!rc)
			EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
		EXPECT_EQ(n, self->netdev[0] ? count_addresses(self) : 0);
	}
	EXPECT_FALSE(fired || rc);
}

static void clear_modes(const struct ct_fix_settings_sweep *self)
{
	struct ifreq req = { 0 };

	memcpy(req.ifr_name, self->netdev, sizeof(self->netdev));
	EXPECT_EQ(0, ioctl(self->sock, SIOCGIFFLAGS, &req));
	req.ifr_flags &= (short)~(IFF_PROMISC | IFF_ALLMULTI);
	EXPECT_EQ(0, ioctl(self->sock, SIOCSIFFLAGS, &req));
}

/* A failed call at close leaves at most the mode that it was to turn off. */
TEST_F(settings_sweep, close_returns_each_mode_although_a_call_fails)
{
	struct settings before, now;
	bool fired = true;

	if (!self->netdev[0])
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	read_settings(self, &before);
	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("call %d fails", k);
		ASSERT_EQ(0, rte_eth_promiscuous_enable(self->rig.port));
		ASSERT_EQ(0, rte_eth_allmulticast_enable(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		arm_fault(&self->rig, NETDEV, k);
		port_rig_remove_port(&self->rig);
		fired = end_fault(&self->rig, NETDEV);
		port_rig_add_port(&self->rig);
		read_settings(self, &now);
		EXPECT_GE(fired,
			  !!(now.netdev_flags & IFF_PROMISC) + !!(now.netdev_flags & IFF_ALLMULTI));
		clear_modes(self);
		expect_settings(self, &before);
		start_port(self);
	}
	EXPECT_FALSE(fired);
}
