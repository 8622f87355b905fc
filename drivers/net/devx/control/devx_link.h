/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LINK_H
#define DEVX_ETH_LINK_H

#include "devx_port.h"

int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait);

#endif
