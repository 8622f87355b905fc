/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_PREPARE_H
#define DEVX_ETH_TX_PREPARE_H

#include <stdint.h>

struct rte_mbuf;

/**
 * devx_eth_tx_prepare - check packets before a send burst (rte_eth_tx_prepare())
 * @pkts: the packets; not changed
 *
 * Refuses packets that a burst would drop, or would not send as requested. It refuses two VLAN tags
 * (RTE_MBUF_F_TX_QINQ), because the device inserts only one. It neither reads nor changes headers:
 * the device overwrites the checksums.
 *
 * Return: @n, or the index of the first refused packet, with rte_errno
 *   ENOTSUP   the packet requests an offload that the queue or the device does not have, or not in
 *             tunnels of this type; or its WQE must contain headers that are in a dma-buf
 *   EFAULT    the packet is in memory that is neither mapped nor in a pool
 *   EINVAL    invalid length, too many segments, or an impossible TSO request
 */
uint16_t devx_eth_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
