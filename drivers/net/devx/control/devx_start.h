/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_START_H
#define DEVX_ETH_START_H

#include "devx_port.h"

/**
 * devx_eth_port_start - register memory, create all objects, start the recovery timer (dev_start)
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_port_start(struct rte_eth_dev *ethdev);
/** devx_eth_port_stop - destroy all objects of the port (dev_stop). Return: 0 */
int devx_eth_port_stop(struct rte_eth_dev *ethdev);

#endif
