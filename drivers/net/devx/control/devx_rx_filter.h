/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_FILTER_H
#define DEVX_ETH_RX_FILTER_H

#include <rte_ether.h>

#include "devx_port.h"

/* Operations for ethdev that select the packets of the port. Each returns 0 or -errno, logged. */

int devx_eth_mac_set(struct rte_eth_dev *ethdev, struct rte_ether_addr *mac);
int devx_eth_promisc_enable(struct rte_eth_dev *ethdev);
int devx_eth_promisc_disable(struct rte_eth_dev *ethdev);
int devx_eth_allmulti_enable(struct rte_eth_dev *ethdev);
int devx_eth_allmulti_disable(struct rte_eth_dev *ethdev);

#endif
