/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_INTERRUPT_H
#define DEVX_ETH_RX_INTERRUPT_H

#include "compat.h"

/** devx_eth_rx_interrupt_configure - prepare for intr_conf.rxq. Return: 0 or -ENOMEM, logged */
int devx_eth_rx_interrupt_configure(struct rte_eth_dev *ethdev);
/** devx_eth_rx_interrupt_free - undo devx_eth_rx_interrupt_configure(), if it was called */
void devx_eth_rx_interrupt_free(struct rte_eth_dev *ethdev);
/**
 * devx_eth_rx_interrupt_publish - pass the eventfds of all receive queues to ethdev
 *
 * The queues are started. Return: 0 or -ENOMEM, logged
 */
int devx_eth_rx_interrupt_publish(struct rte_eth_dev *ethdev);
/**
 * devx_eth_rx_interrupt_withdraw - remove the eventfds from ethdev and from every epoll instance
 *
 * The caller stops the queues afterwards.
 */
void devx_eth_rx_interrupt_withdraw(struct rte_eth_dev *ethdev);

/* Operations of ethdev. */
int devx_eth_rx_interrupt_enable(struct rte_eth_dev *ethdev, uint16_t queue);
int devx_eth_rx_interrupt_disable(struct rte_eth_dev *ethdev, uint16_t queue);

#endif
