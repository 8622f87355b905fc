/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_CHECK_H
#define DEVX_ETH_TX_CHECK_H

#include <rte_mbuf.h>

#include "devx_txq.h"

/**
 * DOC: Packets that a send queue cannot send
 *
 * rte_eth_tx_prepare() refuses them; a burst drops and counts them. Both call the same function. It
 * also measures packets whose headers the WQE must contain:
 *
 *     packet   | header | payload ................ |
 *     WQE      | header with VLAN tag | pointers to the payload
 *     wire     | header, tag | mss |   | header, tag | mss |   | header, tag | rest |
 */

/** enum devx_eth_tx_fault - why a packet cannot be sent */
enum devx_eth_tx_fault {
	DEVX_ETH_TX_OK = 0,
	DEVX_ETH_TX_BAD_SEGMENTS, /* more segments than the queue allows or than a WQE holds */
	/*
	 * The packet is longer than max_bytes, or shorter than an Ethernet header. A packet to
	 * which the device adds a tag needs at least DEVX_ETH_TX_TAGGED_MIN bytes.
	 */
	DEVX_ETH_TX_BAD_LENGTH,
	/*
	 * TSO with mss 0 or a header length of 0. Headers longer than the packet, or than
	 * DEVX_ETH_TX_HEADER_MAX. More payload than the device can split, or frames longer than
	 * max_bytes. A tunnel for which the queue has no offload.
	 */
	DEVX_ETH_TX_BAD_TSO,
	DEVX_ETH_TX_UNREADABLE,   /* headers that the WQE must contain are in a dma-buf */
	DEVX_ETH_TX_UNREGISTERED, /* headers that the WQE must contain are in unknown memory */
};

/**
 * struct devx_eth_tx_shape - how a packet becomes frames
 * @header: bytes of the packet that the WQE contains; 0: none
 * @tag: bytes of the VLAN tag that is inserted: 0 or RTE_VLAN_HLEN
 * @n_frames: frames on the wire
 * @wire_bytes: bytes of these frames, without padding and frame check sequence
 */
struct devx_eth_tx_shape {
	uint32_t header;
	uint32_t tag;
	uint32_t n_frames;
	uint64_t wire_bytes;
};

/** devx_eth_tx_measure_packet - get the shape of a packet that the queue can send */
void devx_eth_tx_measure_packet(const struct devx_eth_txq *txq, const struct rte_mbuf *m,
				struct devx_eth_tx_shape *shape);
/**
 * devx_eth_tx_check_packet - check whether a queue can send a packet
 * @table: memory for packets
 * @shape: receives the shape, as devx_eth_tx_measure_packet()
 *
 * Looks at the offloads of txq->alone and ignores others. Does not check the memory of data that
 * only the device reads.
 */
enum devx_eth_tx_fault devx_eth_tx_check_packet(const struct devx_eth_txq *txq,
						const struct devx_eth_table *table,
						const struct rte_mbuf *m,
						struct devx_eth_tx_shape *shape);

/** devx_eth_tx_find_unknown - find the first segment without a memory key. Return: it, or NULL */
const struct rte_mbuf *devx_eth_tx_find_unknown(const struct devx_eth_table *table,
						const struct rte_mbuf *m);
/**
 * devx_eth_tx_may_register - check whether the recovery timer will register the memory of a segment
 * @s: a segment whose memory has no key
 *
 * The timer registers only pinned buffers, and does not try a refused pool again.
 */
bool devx_eth_tx_may_register(const struct devx_eth_txq *txq, const struct rte_mbuf *s);

/** devx_eth_tx_get_header_bytes - get the length of all headers of a TSO packet, without a tag */
static inline uint32_t devx_eth_tx_get_header_bytes(const struct rte_mbuf *m)
{
	const uint32_t inner = (uint32_t)m->l2_len + m->l3_len + m->l4_len;

	return m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK ? inner + m->outer_l2_len + m->outer_l3_len
						       : inner;
}

/** devx_eth_tx_count_inline_ds - get the number of segments behind the first two with headers */
static inline uint16_t devx_eth_tx_count_inline_ds(uint32_t bytes)
{
	return (uint16_t)((bytes - PRM_ETH_INLINE_START_BYTES + PRM_DS_BYTES - 1) / PRM_DS_BYTES);
}

#endif
