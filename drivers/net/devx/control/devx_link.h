/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LINK_H
#define DEVX_ETH_LINK_H

#include "devx_port.h"

/** devx_eth_link_update - operation link_update of ethdev */
int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait);
/**
 * devx_eth_link_read - read the link and store it in ethdev; under eth->lock
 *
 * Return: 1: the state changed; 0: it did not; -errno, logged.
 */
int devx_eth_link_read(struct rte_eth_dev *ethdev);

#endif
