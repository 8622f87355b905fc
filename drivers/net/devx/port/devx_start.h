/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_START_H
#define DEVX_ETH_START_H

#include "devx_port.h"

/** devx_eth_port_configure - check and apply the configuration (dev_configure). 0 or -errno */
int devx_eth_port_configure(struct rte_eth_dev *ethdev);
/** devx_eth_port_start - allocate rings and create all objects (dev_start). 0 or -errno, logged */
int devx_eth_port_start(struct rte_eth_dev *ethdev);
/** devx_eth_port_stop - destroy all objects and retire the rings (dev_stop). Return: 0 */
int devx_eth_port_stop(struct rte_eth_dev *ethdev);
/**
 * devx_eth_objects_create - register memory, create all objects, start the recovery timer
 * @ethdev: a port whose rings have memory
 *
 * The caller does not hold eth->lock. Return: 0; or -errno, logged, and no object exists
 */
int devx_eth_objects_create(struct rte_eth_dev *ethdev);
/**
 * devx_eth_objects_destroy - undo devx_eth_objects_create(), even if it failed or was not called
 *
 * The rings keep their memory. No burst uses the queues. The caller does not hold eth->lock.
 */
void devx_eth_objects_destroy(struct devx_eth *eth);

#endif
