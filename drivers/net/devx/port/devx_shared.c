/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_common.h>

#include "devx/cmd.h"
#include "devx/lag.h"
#include "devx/tis.h"
#include "devx_log.h"
#include "port/devx_doorbell.h"
#include "port/devx_shared.h"

/* Returns the number of ports of a bond where each queue chooses a port; 0: the device chooses. */
static unsigned int count_lag_ports(struct devx_eth *eth)
{
	struct devx_lag lag = { 0 };

	if (devx_lag_query(&eth->dev, &lag)) /* firmware or kernel does not support bonds */
		return 0;
	if (!lag.active || lag.mode != PRM_LAG_PORT_SELECT_MODE_QUEUE_AFFINITY ||
	    !lag.tis_affinity || lag.n_ports < 2)
		return 0;
	return RTE_MIN((unsigned int)lag.n_ports, (unsigned int)DEVX_ETH_TIS_MAX);
}

static void destroy_tis(struct devx_eth *eth)
{
	for (unsigned int i = 0; i < RTE_DIM(eth->tis); i++)
		devx_tis_destroy(&eth->tis[i]);
}

/* Creates a TIS for each of @n ports of a bond. If firmware refuses, logs it and destroys all. */
static int create_tis_of_ports(struct devx_eth *eth, unsigned int n)
{
	char why[DEVX_TEXT_BYTES + 64];
	unsigned int i;
	int rc = 0;

	for (i = 0; !rc && i < n; i++)
		rc = devx_tis_create_on_port(&eth->tis[i], &eth->dev, &eth->td, (uint8_t)(i + 1));
	if (!rc)
		devx_eth_log(eth, INFO,
			     "bond with queue affinity: Tx queues use its %u ports in turn", n);
	if (!devx_cmd_is_refused(rc))
		return rc;
	devx_eth_log(eth, WARNING,
		     "bond with queue affinity: cannot create the TIS of port %u of the bond; the "
		     "device chooses the port of each Tx queue: %s",
		     i, devx_strerror(&eth->dev, rc, why, sizeof(why)));
	destroy_tis(eth);
	return rc;
}

static int create_tis(struct devx_eth *eth)
{
	const unsigned int n = count_lag_ports(eth);
	int rc = n ? create_tis_of_ports(eth, n) : 0;
	const bool single = !n || devx_cmd_is_refused(rc);

	eth->n_tis = single ? 1 : n;
	if (single)
		rc = devx_tis_create(&eth->tis[0], &eth->dev, &eth->td);
	return rc ? devx_eth_log_failure(eth, rc, "cannot create the TIS") : 0;
}

int devx_eth_shared_open(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc = devx_eth_doorbell_open(eth);

	if (rc)
		return rc;
	rc = devx_td_create(&eth->td, &eth->dev);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the transport domain");
	rc = create_tis(eth);
	if (rc)
		return rc;
	rc = devx_counter_create(&eth->counter, &eth->dev);
	if (rc)
		devx_eth_log(eth, WARNING,
			     "cannot create the queue counter; packets without a buffer are not "
			     "counted: %s",
			     devx_strerror(&eth->dev, rc, why, sizeof(why)));
	return 0;
}

void devx_eth_shared_close(struct devx_eth *eth)
{
	devx_counter_destroy(&eth->counter);
	destroy_tis(eth);
	devx_td_destroy(&eth->td);
	devx_uar_destroy(&eth->uar);
}
