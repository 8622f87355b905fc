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
 * Refuses packets that a burst would send otherwise than requested, or drop. Two VLAN tags
 * (RTE_MBUF_F_TX_QINQ) are among them, because the device inserts one. The headers of a packet are
 * neither read nor changed: the device overwrites the checksums.
 *
 * Return: @n, or the index of the first refused packet, with rte_errno
 *   ENOTSUP   the packet requests an offload that the queue or the device does not have, also in a
 *             tunnel of this type; or its WQE must contain headers that are in a dma-buf
 *   EFAULT    memory that is neither mapped nor in a pool
 *   EINVAL    invalid length, too many segments, or an impossible TSO request
 */
uint16_t devx_eth_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t n);

#endif
