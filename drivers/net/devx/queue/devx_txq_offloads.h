/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TXQ_OFFLOADS_H
#define DEVX_ETH_TXQ_OFFLOADS_H

#include "devx_txq.h"

/* As in net_mlx5, send offloads belong to the port: all send queues have the same ones. */

/** devx_eth_tx_offloads_get - get the send offloads of a device, RTE_ETH_TX_OFFLOAD_* */
uint64_t devx_eth_tx_offloads_get(const struct devx_caps *caps);

/**
 * devx_eth_tx_burst_validate - check that the device supports the WQEs of the argument tx_burst
 *
 * Return: 0, or -ENOTSUP if it lacks multi-packet WQEs, logged
 */
int devx_eth_tx_burst_validate(const struct devx_eth *eth);

/**
 * devx_eth_txq_set_offloads - prepare a queue for txq->offloads
 * @txq: a queue without firmware objects, with eth and offloads set
 */
void devx_eth_txq_set_offloads(struct devx_eth_txq *txq);

/**
 * devx_eth_tx_tpid_set - set the TPID of the VLAN tag that send queues insert (vlan_tpid_set)
 * @type: RTE_ETH_VLAN_TYPE_OUTER, the only tag that a device inserts
 * @tpid: 0x8100 (C-tag, the default) or 0x88a8 (S-tag)
 *
 * A started queue uses the new TPID soon, but not necessarily from the next packet on.
 *
 * Return: 0, -ENOTSUP for another type, or -EINVAL for another TPID; logged
 */
int devx_eth_tx_tpid_set(struct rte_eth_dev *ethdev, enum rte_vlan_type type, uint16_t tpid);

#endif
