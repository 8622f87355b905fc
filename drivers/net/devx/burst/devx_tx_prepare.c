/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_prepare.h"
#include "devx_txq.h"

/* Returns the flags of mbufs that the offloads of a queue carry out, without those of layer 4. */
static uint64_t get_valid_flags(uint64_t offloads)
{
	return RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 |
	       (offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM ? RTE_MBUF_F_TX_IP_CKSUM : 0);
}

/* The two bits for the checksum of layer 4 are a number, not flags. */
static bool accepts_l4(uint64_t offloads, uint64_t ol_flags)
{
	switch (ol_flags & RTE_MBUF_F_TX_L4_MASK) {
	case RTE_MBUF_F_TX_L4_NO_CKSUM:
		return true;
	case RTE_MBUF_F_TX_TCP_CKSUM:
		return offloads & RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
	case RTE_MBUF_F_TX_UDP_CKSUM:
		return offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM;
	default:
		return false;
	}
}

uint16_t devx_eth_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	const struct devx_eth_txq *txq = queue;
	const uint64_t requests = RTE_MBUF_F_TX_OFFLOAD_MASK & ~RTE_MBUF_F_TX_L4_MASK;
	const uint64_t refused = requests & ~get_valid_flags(txq->offloads);
	uint16_t i;

	for (i = 0; i < n; i++) {
		const struct rte_mbuf *m = pkts[i];

		if (m->ol_flags & refused || !accepts_l4(txq->offloads, m->ol_flags)) {
			rte_errno = ENOTSUP;
			break;
		}
		if (m->nb_segs > txq->max_segs ||
		    !devx_eth_tx_accepts_length(m->pkt_len, txq->max_bytes)) {
			rte_errno = EINVAL;
			break;
		}
	}
	return i;
}
