/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_log.h"
#include "port/devx_doorbell.h"
#include "port/devx_shared.h"

int devx_eth_shared_open(struct devx_eth *eth)
{
	char why[DEVX_TEXT_BYTES + 64];
	int rc;

	rc = devx_eth_doorbell_open(eth);
	if (rc)
		return rc;
	rc = devx_td_create(&eth->td, &eth->dev);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the transport domain");
	rc = devx_tis_create(&eth->tis, &eth->dev, &eth->td);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the TIS");
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
	devx_tis_destroy(&eth->tis);
	devx_td_destroy(&eth->td);
	devx_uar_destroy(&eth->uar);
}
