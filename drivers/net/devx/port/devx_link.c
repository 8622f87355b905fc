/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/ethtool.h>

#include <rte_cycles.h>

#include "devx/netdev.h"
#include "devx/netdev_ethtool.h"
#include "devx_log.h"
#include "port/devx_link.h"
#include "port/devx_mtu.h"

enum {
	WAIT_MS = 1000, /* how long link_update waits for a link to come up */
	POLL_MS = 10,
};

/* Link modes of Linux by speed. Bits @first to @last have the same speed. */
static const struct {
	uint16_t first, last;
	uint32_t capa;
} modes[] = {
/* clang-format off */
#define MODE(name) ETHTOOL_LINK_MODE_##name##_BIT
#define MODES(first, last, capa) { MODE(first), MODE(last), RTE_ETH_LINK_SPEED_##capa }
	MODES(1000baseT_Full, 1000baseT_Full, 1G),
	MODES(1000baseKX_Full, 1000baseKX_Full, 1G),
	MODES(1000baseX_Full, 1000baseX_Full, 1G),
	MODES(10000baseT_Full, 10000baseT_Full, 10G),
	MODES(10000baseKX4_Full, 10000baseR_FEC, 10G),
	MODES(10000baseCR_Full, 10000baseER_Full, 10G),
	MODES(25000baseCR_Full, 25000baseSR_Full, 25G),
	MODES(40000baseKR4_Full, 40000baseLR4_Full, 40G),
	MODES(50000baseCR2_Full, 50000baseKR2_Full, 50G),
	MODES(50000baseSR2_Full, 50000baseSR2_Full, 50G),
	MODES(50000baseKR_Full, 50000baseDR_Full, 50G),
	MODES(56000baseKR4_Full, 56000baseLR4_Full, 56G),
	MODES(100000baseKR4_Full, 100000baseLR4_ER4_Full, 100G),
	MODES(100000baseKR2_Full, 100000baseDR2_Full, 100G),
	MODES(100000baseKR_Full, 100000baseCR_Full, 100G),
	MODES(200000baseKR4_Full, 200000baseCR4_Full, 200G),
	MODES(200000baseKR2_Full, 200000baseCR2_Full, 200G),
#ifdef RTE_ETH_LINK_SPEED_400G
	MODES(400000baseKR8_Full, 400000baseCR8_Full, 400G),
	MODES(400000baseKR4_Full, 400000baseCR4_Full, 400G),
#endif
#undef MODES
#undef MODE
	/* clang-format on */
};

static uint32_t find_capa(const struct devx_netdev_link *link)
{
	uint32_t capa = 0;

	for (size_t i = 0; i < RTE_DIM(modes); i++)
		for (unsigned int bit = modes[i].first; bit <= modes[i].last; bit++)
			if (link->supported[bit / 32] >> bit % 32 & 1)
				capa |= modes[i].capa;
	return capa;
}

/*
 * Reads the speed of a link that is up; 0: unknown. The netdev knows every speed, while verbs know
 * none below 2.5 Gb/s.
 */
static uint32_t read_speed(struct devx_eth *eth)
{
	struct devx_netdev_link link;
	uint32_t mbps = 0;
	int rc;

	if (devx_eth_has_netdev(eth) && !devx_netdev_get_link(&eth->dev, &link)) {
		eth->speed_capa = find_capa(&link);
		if (link.speed_mbps)
			return link.speed_mbps;
	}
	rc = devx_port_query_speed(&eth->dev, &mbps);
	if (rc)
		devx_eth_log_failure(eth, rc, "cannot read the speed of the link");
	return mbps;
}

void devx_eth_link_read_capa(struct devx_eth *eth)
{
	struct devx_netdev_link link;

	if (devx_eth_has_netdev(eth) && !devx_netdev_get_link(&eth->dev, &link))
		eth->speed_capa = find_capa(&link);
}

/* Reads the link state from the netdev, or from verbs if the port has no netdev. */
static int query_kernel_link(struct devx_eth *eth, bool *up)
{
	struct devx_netdev netdev;

	if (!devx_eth_has_netdev(eth) || devx_netdev_get(&eth->dev, &netdev))
		return devx_port_query_carrier(&eth->dev, up);
	*up = netdev.running;
	return 0;
}

static int query_link(struct devx_eth *eth, bool *up)
{
	int rc;

	*up = false;
	if (devx_eth_is_lost(eth))
		return 0; /* the link is down, and the device answers no commands */
	rc = eth->port.link_of_kernel ? query_kernel_link(eth, up)
				      : devx_port_query_link(&eth->dev, up);
	return rc ? devx_eth_log_failure(eth, rc, "cannot read the state of the link") : 0;
}

int devx_eth_link_read(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	const uint32_t speeds = ethdev->data->dev_conf.link_speeds;
	struct rte_eth_link link = { .link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
				     .link_autoneg = !(speeds & RTE_ETH_LINK_SPEED_FIXED),
				     .link_speed = RTE_ETH_SPEED_NUM_NONE };
	bool up;
	int rc = query_link(eth, &up);

	if (rc)
		return rc;
	if (up) {
		link.link_status = RTE_ETH_LINK_UP;
		link.link_speed = read_speed(eth);
		if (!link.link_speed)
			link.link_speed = RTE_ETH_SPEED_NUM_UNKNOWN;
	}
	return rte_eth_linkstatus_set(ethdev, &link) ? 0 : 1;
}

/* Returns whether the link may still come up: it is down, but its netdev is up. */
static bool may_come_up(struct devx_eth *eth)
{
	struct devx_netdev netdev;

	return eth->data->dev_link.link_status == RTE_ETH_LINK_DOWN && !devx_eth_is_lost(eth) &&
	       devx_eth_has_netdev(eth) && !devx_netdev_get(&eth->dev, &netdev) && netdev.up;
}

int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	for (unsigned int ms = 0;; ms += POLL_MS) {
		bool again;

		pthread_mutex_lock(&eth->lock);
		rc = devx_eth_link_read(ethdev);
		if (!ms && eth->started)
			devx_eth_mtu_follow(ethdev);
		again = wait && rc >= 0 && ms < WAIT_MS && may_come_up(eth);
		pthread_mutex_unlock(&eth->lock);
		if (!again)
			break;
		rte_delay_us_sleep(POLL_MS * 1000);
	}
	return rc < 0 ? rc : 0;
}

static int set_link(struct rte_eth_dev *ethdev, bool up)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (!devx_eth_has_netdev(eth))
		return devx_eth_refuse_change(eth, "state of the link");
	pthread_mutex_lock(&eth->lock);
	rc = devx_netdev_set_up(&eth->dev, up);
	if (rc)
		devx_eth_log_failure(eth, rc, "cannot set the link %s", up ? "up" : "down");
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_link_set_up(struct rte_eth_dev *ethdev)
{
	return set_link(ethdev, true);
}

int devx_eth_link_set_down(struct rte_eth_dev *ethdev)
{
	return set_link(ethdev, false);
}
