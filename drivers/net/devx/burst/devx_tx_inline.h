/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_INLINE_H
#define DEVX_ETH_TX_INLINE_H

#include "devx_txq.h"

/**
 * DOC: Packets with a VLAN tag or TSO, and packets whose headers are in the WQE
 *
 *     ctrl | eth, 2 bytes of headers | headers, padded to 16 bytes | pointers to the payload
 *
 * The WQE of a TSO packet contains all headers, with the VLAN tag, because the device repeats them
 * for each frame. Without capability wqe_vlan_insert, the WQE of any packet with a tag contains the
 * Ethernet header and the tag. The CPU reads these headers, and nothing else of a packet.
 */

/** enum devx_eth_tx_result - result of posting one packet */
enum devx_eth_tx_result {
	DEVX_ETH_TX_POSTED,
	DEVX_ETH_TX_FULL_RING, /* no room yet; nothing was posted */
	DEVX_ETH_TX_REFUSED,   /* the packet cannot be sent; nothing was posted */
};

/**
 * devx_eth_tx_post_inline - post a packet with its headers in the WQE
 * @m: a packet with TSO, or with a VLAN tag that the device cannot insert
 * @last: receives the WQE if the packet was posted
 */
enum devx_eth_tx_result devx_eth_tx_post_inline(struct devx_eth_txq *txq, struct rte_mbuf *m,
						struct prm_ctrl_seg **last);

/**
 * devx_eth_tx_post_tags - post packets with VLAN tag and without TSO, each in a block of its own
 * @n: at least 1
 * @last: receives the last WQE; untouched if no packet was posted
 *
 * Stops at the first packet that needs another kind of WQE than pkts[0].
 *
 * Return: number of posted packets
 */
uint16_t devx_eth_tx_post_tags(struct devx_eth_txq *txq, struct rte_mbuf **pkts, uint16_t n,
			       struct prm_ctrl_seg **last);

#endif
