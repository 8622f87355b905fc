/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_rx_vlan.h"

int devx_eth_rxq_sync_vlan(struct devx_eth_rxq *rxq)
{
	const bool keep = rxq->rq_attr.keep_vlan;
	const int rc = keep == rxq->rq_keeps_vlan ? 0 : devx_rq_set_keep_vlan(&rxq->rq, keep);

	if (!rc)
		rxq->rq_keeps_vlan = keep;
	return rc;
}
