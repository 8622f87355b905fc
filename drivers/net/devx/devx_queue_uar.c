/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "devx_queue_uar.h"

bool devx_eth_uar_may_share(const struct devx_eth *eth, int rc)
{
	return eth->uar.shared && rc != -EOPNOTSUPP && rc != -EIO && rc != -ENODEV;
}

int devx_eth_queue_uar_create(struct devx_eth *eth, struct devx_uar *uar)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc = devx_uar_create(uar, &eth->dev, eth->uar_type);

	if (!rc || !devx_eth_uar_may_share(eth, rc))
		return rc;
	devx_strerror(&eth->dev, rc, why, sizeof(why));
	rc = devx_uar_create(uar, &eth->dev, DEVX_UAR_NC);
	if (rc || eth->uar_noticed)
		return rc;
	eth->uar_noticed = true;
	devx_eth_log(eth, NOTICE,
		     "doorbells: %s; new send queues share one register until the port is started "
		     "again",
		     why);
	return 0;
}

const char *devx_eth_uar_get_name(enum devx_uar_type type)
{
	static const char *const names[] = {
		[DEVX_UAR_BF] = "bf",
		[DEVX_UAR_NC] = "nc",
		[DEVX_UAR_NC_DEDICATED] = "nc_dedicated",
	};

	return names[type];
}

enum devx_uar_type devx_eth_uar_get_type(const struct devx_uar *uar)
{
	if (!uar->nc)
		return DEVX_UAR_BF;
	return uar->shared ? DEVX_UAR_NC : DEVX_UAR_NC_DEDICATED;
}
