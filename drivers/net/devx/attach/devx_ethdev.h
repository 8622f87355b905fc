/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ETHDEV_H
#define DEVX_ETH_ETHDEV_H

#include "devx_port.h"

extern const struct eth_dev_ops devx_eth_ops;

/** devx_eth_set_functions - set operations and functions of a port; its bursts move no packets */
void devx_eth_set_functions(struct rte_eth_dev *ethdev, const struct eth_dev_ops *ops);

/** devx_eth_port_close - stop and close a port (dev_close); also called at remove. Return: 0 */
int devx_eth_port_close(struct rte_eth_dev *ethdev);

/* Operations of ethdev that work in secondary processes as well. */
int devx_eth_fw_version_get(struct rte_eth_dev *ethdev, char *buf, size_t bytes);
const uint32_t *devx_eth_supported_ptypes_get(DEVX_ETH_PTYPES_ARGS);

#endif
