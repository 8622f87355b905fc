/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/devx_link.h"
#include "devx_log.h"

int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_link link = {
		.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
		.link_autoneg = RTE_ETH_LINK_AUTONEG,
		.link_speed =
			eth->port.speed_mbps ? eth->port.speed_mbps : RTE_ETH_SPEED_NUM_UNKNOWN,
	};
	bool up = false;
	int rc;

	RTE_SET_USED(wait); /* ignored: one command reads the current state */
	pthread_mutex_lock(&eth->lock);
	rc = devx_port_query_link(&eth->dev, &up);
	if (rc)
		rc = devx_eth_log_failure(eth, rc, "cannot read the state of the link");
	pthread_mutex_unlock(&eth->lock);
	if (rc)
		return rc;
	link.link_status = up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN;
	if (!up)
		link.link_speed = RTE_ETH_SPEED_NUM_NONE;
	return rte_eth_linkstatus_set(ethdev, &link);
}
