/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DESC_STATUS_H
#define DEVX_ETH_DESC_STATUS_H

#include <stdint.h>

#include "compat.h"

/**
 * DOC: States of descriptors
 *
 * These functions implement operations of rte_eth_dev. The thread that bursts on the queue calls
 * them. They take a pointer to struct devx_eth_rxq or struct devx_eth_txq; for NULL, a queue that
 * does not exist, they return -EINVAL. None of them sends a firmware command. A queue that is
 * stopped or owned by the recovery timer has no packets.
 */

/**
 * devx_eth_rx_descriptor_status - get the state of the slot @offset behind the next packet
 *
 *     RTE_ETH_RX_DESC_DONE     a packet
 *     RTE_ETH_RX_DESC_AVAIL    a buffer without a packet
 *     RTE_ETH_RX_DESC_UNAVAIL  no buffer, or the queue is not started
 *
 * Return: one of these, or -EINVAL (@offset is not below the size of the ring)
 */
int devx_eth_rx_descriptor_status(void *rxq, uint16_t offset);
/** devx_eth_rx_queue_count - count the slots with received packets that no burst has taken */
devx_eth_rx_count devx_eth_rx_queue_count(void *rxq);
/**
 * devx_eth_rx_monitor_addr_get - get the byte that the device changes for the next packet
 * @cond: receives the address of the owner bit of the next CQE (get_monitor_addr)
 *
 * A queue that is not running must be polled: its next burst starts or ends the recovery.
 *
 * Return: 0, or -EINVAL, as net_mlx5 (the queue is not running)
 */
int devx_eth_rx_monitor_addr_get(void *rxq, struct rte_power_monitor_cond *cond);
/**
 * devx_eth_tx_descriptor_status - get the state of the slot @offset behind the next one to use
 *
 *     RTE_ETH_TX_DESC_DONE     free
 *     RTE_ETH_TX_DESC_FULL     a segment without a CQE
 *     RTE_ETH_TX_DESC_UNAVAIL  the queue is not started
 *
 * Return: one of these, or -EINVAL (@offset is not below the size of the ring)
 */
int devx_eth_tx_descriptor_status(void *txq, uint16_t offset);
/** devx_eth_tx_queue_count - count the descriptors in use: segments without a CQE; or -EINVAL */
int devx_eth_tx_queue_count(void *txq);
/**
 * devx_eth_tx_done_cleanup - free packets whose CQE arrived (tx_done_cleanup)
 * @max: number of packets to free at most; 0: all
 *
 * If fewer are freed, requests a CQE for the last packets, as a burst of 0 packets does. A later
 * call frees them.
 *
 * Return: number of freed packets, or -EINVAL
 */
int devx_eth_tx_done_cleanup(void *txq, uint32_t max);

#endif
