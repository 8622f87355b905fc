/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_block.h"
#include "burst/devx_tx_tags.h"

/* Room in the ring is counted in blocks too, as in any queue with TSO. */
enum { FLAGS = DEVX_ETH_TX_FULL | DEVX_ETH_TX_VLAN | DEVX_ETH_TX_TSO };

__rte_noinline uint16_t devx_eth_tx_post_tags(struct devx_eth_txq *txq, struct rte_mbuf **pkts,
					      uint16_t n, struct prm_ctrl_seg **last)
{
	if (pkts[0]->ol_flags & txq->alone & RTE_MBUF_F_TX_TCP_SEG)
		return 0;
	if (txq->insert_type)
		return devx_eth_tx_post_blocks(txq, pkts, n, PRM_WQE_SEND, DEVX_ETH_TX_TAG_DEVICE,
					       last, FLAGS);
	if (txq->range.dmabuf)
		return 0; /* the CPU cannot read the headers */
	return devx_eth_tx_post_blocks(txq, pkts, n, PRM_WQE_SEND, DEVX_ETH_TX_TAG_CPU, last,
				       FLAGS);
}
