/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/devx_link.h"
#include "devx_log.h"

/*
 * Reads the speed of a link that came up; the speed of a new link may differ. Without an answer
 * the last known speed stays.
 */
static void read_speed(struct devx_eth *eth)
{
	uint32_t mbps;
	const int rc = devx_port_query_speed(&eth->dev, &mbps);

	if (rc)
		devx_eth_log_failure(eth, rc, "cannot read the speed of the link");
	else
		eth->port.speed_mbps = mbps;
}

static int query_link(struct devx_eth *eth, bool *up)
{
	int rc;

	*up = false;
	if (devx_eth_is_lost(eth))
		return 0; /* a lost device has no link, and answers no command */
	rc = devx_port_query_link(&eth->dev, up);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot read the state of the link");
	if (*up && eth->data->dev_link.link_status == RTE_ETH_LINK_DOWN)
		read_speed(eth);
	return 0;
}

int devx_eth_link_read(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_link link = { .link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
				     .link_autoneg = RTE_ETH_LINK_AUTONEG };
	bool up;
	int rc = query_link(eth, &up);

	if (rc)
		return rc;
	link.link_status = up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN;
	link.link_speed = !up                    ? RTE_ETH_SPEED_NUM_NONE
			  : eth->port.speed_mbps ? eth->port.speed_mbps
						 : RTE_ETH_SPEED_NUM_UNKNOWN;
	return rte_eth_linkstatus_set(ethdev, &link) ? 0 : 1;
}

int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	RTE_SET_USED(wait); /* ignored: one command reads the current state */
	pthread_mutex_lock(&eth->lock);
	rc = devx_eth_link_read(ethdev);
	pthread_mutex_unlock(&eth->lock);
	return rc < 0 ? rc : 0;
}
