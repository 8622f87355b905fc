/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FLOW_CTRL_H
#define DEVX_ETH_FLOW_CTRL_H

#include "devx_port.h"

/*
 * Operations of ethdev that ask the netdev: pause frames and the plug-in module. Each returns 0 or
 * -errno, logged; -ENOTSUP if there is no netdev or it does not support the operation.
 */
int devx_eth_flow_ctrl_get(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf);
int devx_eth_flow_ctrl_set(struct rte_eth_dev *ethdev, struct rte_eth_fc_conf *conf);
int devx_eth_module_info_get(struct rte_eth_dev *ethdev, struct rte_eth_dev_module_info *info);
int devx_eth_module_eeprom_get(struct rte_eth_dev *ethdev, struct rte_dev_eeprom_info *info);

#endif
