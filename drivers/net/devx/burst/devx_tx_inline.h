/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_INLINE_H
#define DEVX_ETH_TX_INLINE_H

#include "devx_txq.h"

/**
 * DOC: Packets with a VLAN tag or TSO, and packets whose headers are in the WQE
 *
 *     ctrl | eth, 2 bytes of headers | headers, padded to 16 bytes | pointers to the payload
 *
 * TSO needs all headers there: the device repeats them for each frame. The VLAN tag of such a
 * packet is among them. Without capability wqe_vlan_insert the Ethernet header and the tag of any
 * packet are there. The CPU reads these headers, and nothing else of a packet.
 */

/** enum devx_eth_tx_result - result of posting one packet */
enum devx_eth_tx_result {
	DEVX_ETH_TX_POSTED,
	DEVX_ETH_TX_FULL_RING, /* no room yet; nothing was posted */
	DEVX_ETH_TX_REFUSED,   /* the packet cannot be sent; nothing was posted */
};

/**
 * devx_eth_tx_post_inline - post a packet with its headers in the WQE
 * @m: a packet with TSO, or with VLAN insertion that the device does not do
 * @last: receives the WQE if the packet was posted
 */
enum devx_eth_tx_result devx_eth_tx_post_inline(struct devx_eth_txq *txq, struct rte_mbuf *m,
						struct prm_ctrl_seg **last);

/**
 * devx_eth_tx_post_tags - post packets with VLAN tag and without TSO, each in a block of its own
 * @n: at least 1
 * @last: receives the last WQE; untouched if no packet was posted
 *
 * Ends at the first packet that needs something else than the first one.
 *
 * Return: number of posted packets
 */
uint16_t devx_eth_tx_post_tags(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
			       struct prm_ctrl_seg **last);

#endif
