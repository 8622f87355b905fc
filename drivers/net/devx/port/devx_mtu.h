/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MTU_H
#define DEVX_ETH_MTU_H

#include <stdint.h>

#include "devx_port.h"

/** devx_eth_mtu_get_max - get the largest MTU; the limit of a netdev may be lower */
uint16_t devx_eth_mtu_get_max(const struct devx_eth *eth);
/** devx_eth_mtu_apply - raise an MTU below @mtu to @mtu, never lower it. 0 or -errno, logged */
int devx_eth_mtu_apply(struct devx_eth *eth, uint16_t mtu);
/**
 * devx_eth_mtu_follow - lower the MTU of the port to that of the netdev, with a line in the log
 *
 * An administrator may have lowered it. The caller holds eth->lock.
 */
void devx_eth_mtu_follow(struct rte_eth_dev *ethdev);
/** devx_eth_mtu_set - set the MTU; operation mtu_set. Return: 0 or -errno, logged */
int devx_eth_mtu_set(struct rte_eth_dev *ethdev, uint16_t mtu);

#endif
