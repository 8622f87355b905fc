/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_START_H
#define DEVX_ETH_START_H

#include "devx_port.h"

int devx_eth_port_start(struct rte_eth_dev *ethdev);
int devx_eth_port_stop(struct rte_eth_dev *ethdev);

#endif
