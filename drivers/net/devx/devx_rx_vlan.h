/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_VLAN_H
#define DEVX_ETH_RX_VLAN_H

#include "devx_rxq.h"

/**
 * devx_eth_rxq_sync_vlan - make the RQ strip or keep VLAN tags, as rq_attr.keep_vlan says
 * @rxq: a queue whose RQ is in RDY
 *
 * The setting may have changed while the RQ was in another state. A firmware command, if it did.
 *
 * Context: the caller holds eth->lock.
 *
 * Return: 0, or as devx_rq_set_keep_vlan(), not logged.
 */
int devx_eth_rxq_sync_vlan(struct devx_eth_rxq *rxq);

#endif
