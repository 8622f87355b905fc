/* SPDX-License-Identifier: BSD-3-Clause */
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "loss/devx_device_recovery.h"
#include "loss_rig.h"

/*
 * A device that comes back may have a new network interface, which knows nothing of the port.
 * ioctls on a socket make such an interface out of the old one, while the device is away.
 */

enum { MTU = 1500, LOW_MTU = 1000, K_MAX = 60 };

/* read; read and change each: address, MTU, state, two modes; addresses of a virtual function */
enum { N_CALLS = 1 + 5 * 2 };

FIXTURE(netdev_return)
{
	struct port_rig rig;
	struct ifreq req;
	int sock;
	unsigned int retry_ms; /* devx_eth_retry_ms before the test; 0: unchanged */
};
FIXTURE_SETUP(netdev_return)
{
	self->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	port_rig_probe(&self->rig);
	if (!self->rig.has_netdev)
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	NEEDS_EMU("to let the device fail");
	snprintf(self->req.ifr_name, sizeof(self->req.ifr_name), "%s",
		 devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.netdev);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	loss_rig_listen();
	self->retry_ms = devx_eth_retry_ms;
	devx_eth_retry_ms = 1;
}
FIXTURE_TEARDOWN(netdev_return)
{
	driver_calls_fail_netdev(-1);
	if (self->retry_ms)
		devx_eth_retry_ms = self->retry_ms;
	loss_rig_forget();
	port_rig_down(&self->rig);
	close(self->sock);
}

/* Gives the interface an address, an MTU and flags; an address changes only while it is down. */
static bool renew_netdev(struct ct_fix_netdev_return *self, const struct rte_ether_addr *mac)
{
	struct ifreq *req = &self->req;
	bool ok;

	req->ifr_flags = 0; /* down, without modes */
	ok = !ioctl(self->sock, SIOCSIFFLAGS, req);
	req->ifr_hwaddr.sa_family = ARPHRD_ETHER;
	memcpy(req->ifr_hwaddr.sa_data, mac->addr_bytes, RTE_ETHER_ADDR_LEN);
	ok &= !ioctl(self->sock, SIOCSIFHWADDR, req);
	req->ifr_mtu = LOW_MTU;
	return !ioctl(self->sock, SIOCSIFMTU, req) && ok;
}

static struct rte_ether_addr chosen = { { 0x02, 0, 0, 0, 2, 1 } };
static const struct rte_ether_addr factory = { { 0x02, 0, 0, 0, 2, 2 } };

static void expect_settings_of_the_port(struct ct_fix_netdev_return *self)
{
	const short flags = IFF_UP | IFF_PROMISC | IFF_ALLMULTI;

	ASSERT_EQ(0, ioctl(self->sock, SIOCGIFHWADDR, &self->req));
	EXPECT_MEMEQ(chosen.addr_bytes, self->req.ifr_hwaddr.sa_data, RTE_ETHER_ADDR_LEN);
	ASSERT_EQ(0, ioctl(self->sock, SIOCGIFMTU, &self->req));
	EXPECT_EQ(MTU, self->req.ifr_mtu);
	ASSERT_EQ(0, ioctl(self->sock, SIOCGIFFLAGS, &self->req));
	EXPECT_EQ(flags, self->req.ifr_flags & flags);
}

/*
 * Each call about the interface fails once: the attempt is repeated, or the call only reads what
 * the port can do without.
 */
TEST_F(netdev_return, new_netdev_gets_the_settings_of_the_port)
{
	const struct port_rig *rig = &self->rig;
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[rig->port]);
	struct rte_ether_addr first = rig->mac;
	unsigned int n = 0, n_repeated = 0;
	bool fired = true;

	ASSERT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &chosen));
	ASSERT_EQ(0, rte_eth_promiscuous_enable(rig->port));
	ASSERT_EQ(0, rte_eth_allmulticast_enable(rig->port));
	for (int k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("call %d fails", k);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, ++n));
		ASSERT_TRUE(renew_netdev(self, &factory));
		eth->if_index++; /* a new interface has another one */
		port_rig_read_log();
		driver_calls_fail_netdev(k);
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, n));
		fired = driver_calls_get_pending_netdev_fault() < 0;
		driver_calls_fail_netdev(-1);
		n_repeated += strstr(port_rig_read_log(), "cannot restore the settings of") != NULL;
		expect_settings_of_the_port(self);
		EXPECT_EQ(if_nametoindex(self->req.ifr_name), eth->if_index);
	}
	EXPECT_FALSE(fired);
	EXPECT_EQ(N_CALLS + 2u * eth->netdev.vf.n_added, n_repeated);
	EXPECT_EQ(0, rte_eth_dev_default_mac_addr_set(rig->port, &first));
}
