/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_errno.h>
#include <rte_mbuf.h>

#include "burst/devx_tx_check.h"
#include "burst/devx_tx_prepare.h"
#include "devx_txq.h"

/* Requests of mbufs and the offloads of a queue that carry them out. */
static const struct {
	uint64_t request, offloads;
} requests[] = {
	{ RTE_MBUF_F_TX_IP_CKSUM, RTE_ETH_TX_OFFLOAD_IPV4_CKSUM },
	{ RTE_MBUF_F_TX_OUTER_IP_CKSUM, RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM },
	{ RTE_MBUF_F_TX_VLAN, RTE_ETH_TX_OFFLOAD_VLAN_INSERT },
	{ RTE_MBUF_F_TX_TCP_SEG, DEVX_ETH_TX_TSO_OFFLOADS },
};

/* Returns the flags of mbufs that the offloads of a queue carry out, without fields of numbers. */
static uint64_t get_valid_flags(uint64_t offloads)
{
	uint64_t valid = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_OUTER_IPV4 |
			 RTE_MBUF_F_TX_OUTER_IPV6;

	for (unsigned int i = 0; i < RTE_DIM(requests); i++)
		if (offloads & requests[i].offloads)
			valid |= requests[i].request;
	return valid;
}

/* The two bits for the checksum of layer 4 are a number, not flags. */
static bool accepts_l4(uint64_t offloads, uint64_t ol_flags)
{
	switch (ol_flags & RTE_MBUF_F_TX_L4_MASK) {
	case RTE_MBUF_F_TX_L4_NO_CKSUM:
		return true;
	case RTE_MBUF_F_TX_TCP_CKSUM:
		return offloads & (RTE_ETH_TX_OFFLOAD_TCP_CKSUM | DEVX_ETH_TX_TSO_OFFLOADS);
	case RTE_MBUF_F_TX_UDP_CKSUM:
		return offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM;
	default:
		return false;
	}
}

/* The four bits of the tunnel are a number. A tunnel matters only if offloads apply inside. */
static bool accepts_tunnel(const struct devx_eth_txq *txq, uint64_t ol_flags)
{
	const uint16_t type = 1 << (ol_flags >> DEVX_ETH_TX_TUNNEL_SHIFT & 0xf);

	if (ol_flags & RTE_MBUF_F_TX_TCP_SEG)
		return txq->tso_tunnels & type;
	if (!(ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK))
		return !(ol_flags & RTE_MBUF_F_TX_OUTER_IP_CKSUM);
	return txq->tunnels & type || !(ol_flags & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK |
						    RTE_MBUF_F_TX_OUTER_IP_CKSUM));
}

/* Ignores the memory of packets of a stopped port, which has no pools registered. */
static bool is_registered(const struct devx_eth_txq *txq, const struct devx_eth_table *table,
			  const struct rte_mbuf *m)
{
	const struct rte_mbuf *s = table ? devx_eth_tx_find_unknown(table, m) : NULL;

	return !s || devx_eth_tx_may_register(txq, s);
}

/* Returns the errno of a packet that the queue cannot send as requested, or 0. */
static int find_error(const struct devx_eth_txq *txq, const struct devx_eth_table *table,
		      const struct rte_mbuf *m, uint64_t refused)
{
	struct devx_eth_tx_shape shape;

	if (m->ol_flags & refused || !accepts_l4(txq->offloads, m->ol_flags) ||
	    !accepts_tunnel(txq, m->ol_flags))
		return ENOTSUP;
	switch (devx_eth_tx_check_packet(txq, table, m, &shape)) {
	case DEVX_ETH_TX_OK:
	case DEVX_ETH_TX_UNREGISTERED:
		return is_registered(txq, table, m) ? 0 : EFAULT;
	case DEVX_ETH_TX_UNREADABLE:
		return ENOTSUP;
	default:
		return EINVAL;
	}
}

uint16_t devx_eth_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	const struct devx_eth_txq *txq = queue;
	const uint64_t numbers = RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_TUNNEL_MASK;
	const uint64_t refused =
		RTE_MBUF_F_TX_OFFLOAD_MASK & ~numbers & ~get_valid_flags(txq->offloads);
	const struct devx_eth_table *table =
		txq->eth->started ? devx_eth_memory_get_table(txq->memory) : NULL;
	uint16_t i;

	for (i = 0; i < n; i++) {
		const int err = find_error(txq, table, pkts[i], refused);

		if (err) {
			rte_errno = err;
			break;
		}
	}
	return i;
}
