/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_BURST_MODE_H
#define DEVX_ETH_BURST_MODE_H

#include <stdint.h>

#include "devx_port.h"

/**
 * devx_eth_rx_burst_select - select the receive burst function of a port
 *
 * All queues of a port share the function, so it supports what any of them needs.
 */
eth_rx_burst_t devx_eth_rx_burst_select(const struct devx_eth *eth);
/** devx_eth_tx_burst_select - select the send burst function for @offloads on this device */
eth_tx_burst_t devx_eth_tx_burst_select(const struct devx_eth *eth, uint64_t offloads);
/**
 * devx_eth_rx_simd_find - find vector instructions by their name in the argument rx_burst
 *
 * Return: 0, -EINVAL for an unknown name, or -ENOTSUP if the processor lacks the instructions.
 */
int devx_eth_rx_simd_find(const char *name, enum devx_eth_simd *simd);
int devx_eth_tx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode);
int devx_eth_rx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode);

#endif
