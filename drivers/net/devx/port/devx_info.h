/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_INFO_H
#define DEVX_ETH_INFO_H

#include "devx_port.h"

/** devx_eth_info_get - get limits, offloads and defaults of a port (dev_infos_get). Return: 0 */
int devx_eth_info_get(struct rte_eth_dev *ethdev, struct rte_eth_dev_info *info);

#endif
