/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MTU_H
#define DEVX_ETH_MTU_H

#include <stdint.h>

#include "devx_port.h"

/** devx_eth_mtu_get_max - get the largest MTU; the netdev may refuse it later */
uint16_t devx_eth_mtu_get_max(const struct devx_eth *eth);
/** devx_eth_mtu_apply - raise the MTU to at least @mtu. Return: 0 or -errno, logged */
int devx_eth_mtu_apply(struct devx_eth *eth, uint16_t mtu);
/**
 * devx_eth_mtu_follow - if an administrator lowered the MTU of the netdev, lower that of the port
 *
 * Logs such a change. The caller holds eth->lock.
 */
void devx_eth_mtu_follow(struct rte_eth_dev *ethdev);
/** devx_eth_mtu_set - operation mtu_set of ethdev. Return: 0 or -errno, logged */
int devx_eth_mtu_set(struct rte_eth_dev *ethdev, uint16_t mtu);

#endif
