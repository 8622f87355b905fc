/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_TAGS_H
#define DEVX_ETH_TX_TAGS_H

#include "devx_txq.h"

/**
 * devx_eth_tx_post_tags - post packets with VLAN tag and without TSO, each in a block of its own
 * @n: at least 1
 * @last: receives the last WQE; untouched if no packet was posted
 *
 * Ends at the first packet that needs anything else than the first one.
 *
 * Return: number of posted packets
 */
uint16_t devx_eth_tx_post_tags(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
			       struct prm_ctrl_seg **last);

#endif
