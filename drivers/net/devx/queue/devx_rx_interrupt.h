/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_INTERRUPT_H
#define DEVX_ETH_RX_INTERRUPT_H

#include "compat.h"

/**
 * devx_eth_rx_interrupt_configure - prepare for intr_conf.rxq of the configuration
 *
 * Return: 0 or -ENOMEM, logged
 */
int devx_eth_rx_interrupt_configure(struct rte_eth_dev *ethdev);
/** devx_eth_rx_interrupt_free - undo devx_eth_rx_interrupt_configure(); also without it */
void devx_eth_rx_interrupt_free(struct rte_eth_dev *ethdev);
/**
 * devx_eth_rx_interrupt_publish - give the descriptors of all receive queues to ethdev
 *
 * Call it when the queues are started. Return: 0 or -ENOMEM, logged
 */
int devx_eth_rx_interrupt_publish(struct rte_eth_dev *ethdev);
/**
 * devx_eth_rx_interrupt_withdraw - remove the descriptors from ethdev and from every epoll
 *
 * Call it before the queues stop.
 */
void devx_eth_rx_interrupt_withdraw(struct rte_eth_dev *ethdev);

/* Operations for ethdev. */
int devx_eth_rx_interrupt_enable(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_rx_interrupt_disable(struct rte_eth_dev *ethdev, uint16_t queue);

#endif
