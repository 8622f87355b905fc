/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/netdev.h"
#include "devx/netdev_trust.h"
#include "devx_log.h"
#include "netdev/devx_vf_addresses.h"

static bool has_address(const struct devx_eth_filters *filters, const struct rte_ether_addr *mac)
{
	for (uint32_t i = 0; i < DEVX_ETH_UNICAST_MAX; i++)
		if (rte_is_same_ether_addr(&filters->unicast[i], mac))
			return true;
	for (uint32_t i = 0; i < filters->n_multicast; i++)
		if (rte_is_same_ether_addr(&filters->multicast[i], mac))
			return true;
	return false;
}

/* Adds @mac. If the netdev already has it, it belongs to somebody else, and we do not remove it. */
static int add_address(struct devx_eth *eth, const struct rte_ether_addr *mac)
{
	struct devx_eth_vf *vf = &eth->netdev.vf;
	const int rc = devx_netdev_add_mac(&eth->dev, mac->addr_bytes);

	if (rc == -EEXIST)
		return 0;
	if (!rc)
		vf->added[vf->n_added++] = *mac;
	return rc;
}

void devx_eth_vf_addresses_open(struct devx_eth *eth)
{
	eth->netdev.vf.is_vf = devx_dev_is_vf(&eth->dev);
	/* A failure has no effect: the netdev receives packets to its own address anyway. */
	if (eth->netdev.vf.is_vf && devx_eth_has_netdev(eth))
		add_address(eth, &eth->filters.unicast[0]);
}

static int add_new_address(struct devx_eth *eth, const struct rte_ether_addr *mac)
{
	int rc;

	if (rte_is_zero_ether_addr(mac) || has_address(&eth->filters, mac))
		return 0;
	if (!devx_eth_has_netdev(eth))
		return devx_eth_refuse_change(eth, "list of addresses of a virtual function");
	rc = add_address(eth, mac);
	return rc ? devx_eth_log_failure(eth, rc, "cannot receive packets to another address") : 0;
}

int devx_eth_vf_addresses_add(struct devx_eth *eth, const struct devx_eth_filters *next)
{
	int rc = 0;

	if (!eth->netdev.vf.is_vf)
		return 0;
	for (uint32_t i = 0; !rc && i < DEVX_ETH_UNICAST_MAX; i++)
		rc = add_new_address(eth, &next->unicast[i]);
	for (uint32_t i = 0; !rc && i < next->n_multicast; i++)
		rc = add_new_address(eth, &next->multicast[i]);
	return rc;
}

/* Ignores a failure, which means that the netdev is gone, together with its list. */
static void remove_address(struct devx_eth *eth, uint16_t i)
{
	devx_netdev_remove_mac(&eth->dev, eth->netdev.vf.added[i].addr_bytes);
	eth->netdev.vf.added[i] = eth->netdev.vf.added[--eth->netdev.vf.n_added];
}

int devx_eth_vf_addresses_apply(struct devx_eth *eth)
{
	const struct devx_eth_vf *vf = &eth->netdev.vf;
	int rc = 0;

	for (uint16_t i = 0; !rc && i < vf->n_added; i++) {
		rc = devx_netdev_add_mac(&eth->dev, vf->added[i].addr_bytes);
		if (rc == -EEXIST)
			rc = 0;
	}
	return rc;
}

void devx_eth_vf_addresses_trim(struct devx_eth *eth)
{
	for (uint16_t i = eth->netdev.vf.n_added; i-- > 0;)
		if (!has_address(&eth->filters, &eth->netdev.vf.added[i]))
			remove_address(eth, i);
}

void devx_eth_vf_addresses_close(struct devx_eth *eth)
{
	while (eth->netdev.vf.n_added)
		remove_address(eth, (uint16_t)(eth->netdev.vf.n_added - 1));
}

void devx_eth_vf_trust_report(struct devx_eth *eth, const char *mode)
{
	struct devx_netdev_physfn physfn;
	enum devx_netdev_trust trust;

	if (!eth->netdev.vf.is_vf || eth->netdev.vf.trust_reported)
		return;
	trust = devx_netdev_get_trust(&eth->dev, &physfn);
	if (trust == DEVX_NETDEV_TRUST_ON)
		return;
	eth->netdev.vf.trust_reported = true;
	if (trust == DEVX_NETDEV_TRUST_OFF)
		devx_eth_log(eth, WARNING,
			     "%s: the host does not trust this virtual function, so the port "
			     "receives only packets to its own addresses; run `ip link set %s vf "
			     "%u trust on`",
			     mode, physfn.netdev, physfn.vf);
	else
		devx_eth_log(eth, NOTICE,
			     "%s: a virtual function needs `ip link set PF vf N trust on` on its "
			     "host; without it the port receives only packets to its own "
			     "addresses",
			     mode);
}
