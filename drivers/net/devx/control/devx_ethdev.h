/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_ETHDEV_H
#define DEVX_ETH_ETHDEV_H

#include "devx_port.h"

/** devx_eth_ops - every operation of a port */
extern const struct eth_dev_ops devx_eth_ops;

int devx_eth_port_close(struct rte_eth_dev *ethdev);

#endif
