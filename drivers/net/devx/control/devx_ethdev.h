/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ETHDEV_H
#define DEVX_ETH_ETHDEV_H

#include "devx_port.h"

/** devx_eth_ops - operations of a net_devx port for ethdev */
extern const struct eth_dev_ops devx_eth_ops;

/** devx_eth_port_close - stop and close a port (dev_close); also called at remove. Return: 0 */
int devx_eth_port_close(struct rte_eth_dev *ethdev);

#endif
