/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "control/devx_netdev.h"
#include "devx/netdev.h"
#include "devx_log.h"

bool devx_eth_has_netdev(const struct devx_eth *eth)
{
	return eth->dev.netdev[0];
}

int devx_eth_refuse_change(struct devx_eth *eth, const char *what)
{
	devx_eth_log(eth, ERR,
		     "%s: the port's own value holds, because the kernel has no network "
		     "interface for it through which it could be changed",
		     what);
	return -ENOTSUP;
}

int devx_eth_port_read(struct devx_eth *eth)
{
	struct devx_netdev netdev;
	int rc;

	rc = devx_port_query(&eth->dev, &eth->port);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot read the port");
	memcpy(eth->mac.addr_bytes, eth->port.mac, RTE_ETHER_ADDR_LEN);
	if (!devx_eth_has_netdev(eth))
		return 0;
	rc = devx_netdev_get(&eth->dev, &netdev);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot read the port's network interface");
	memcpy(eth->mac.addr_bytes, netdev.mac, RTE_ETHER_ADDR_LEN);
	eth->port.mtu = (uint16_t)RTE_MIN(netdev.mtu, (uint32_t)UINT16_MAX);
	if (!netdev.up && devx_netdev_set_up(&eth->dev, true))
		devx_eth_log(eth, WARNING,
			     "%s is down and could not be brought up: no packet will "
			     "pass; try ip link set %s up",
			     eth->dev.netdev, eth->dev.netdev);
	return 0;
}

void devx_eth_port_restore(struct devx_eth *eth)
{
	if (eth->promisc_ours)
		devx_netdev_set_promisc(&eth->dev, false);
	if (eth->allmulti_ours)
		devx_netdev_set_allmulti(&eth->dev, false);
	eth->promisc_ours = eth->allmulti_ours = false;
}
