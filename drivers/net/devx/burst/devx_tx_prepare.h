/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_PREPARE_H
#define DEVX_ETH_TX_PREPARE_H

#include <stdint.h>

struct rte_mbuf;

/**
 * devx_eth_tx_prepare - check packets before a send burst (rte_eth_tx_prepare())
 * @queue: the send queue
 * @pkts: the packets; not changed
 * @n: number of packets
 *
 * Refuses an offload that the queue does not have: a burst would send the packet without it. Among
 * them are TSO and VLAN insertion, which a device without support does by headers in the WQE; the
 * driver would have to read them, which it cannot for packets in a dma-buf.
 *
 * Return: @n, or the index of the first refused packet, with rte_errno
 *   ENOTSUP   the packet requests an offload that the queue does not have
 *   EINVAL    invalid length, or too many segments
 */
uint16_t devx_eth_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
