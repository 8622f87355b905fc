/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FUNCTIONS_H
#define DEVX_ETH_FUNCTIONS_H

#include "devx_port.h"

/** devx_eth_set_functions - set operations and functions of a port, whose bursts move no packets */
void devx_eth_set_functions(struct rte_eth_dev *ethdev, const struct eth_dev_ops *ops);

#endif
