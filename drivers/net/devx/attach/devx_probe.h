/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROBE_H
#define DEVX_ETH_PROBE_H

#include "devx_port.h"

/**
 * DOC: Probe and removal of a port, on any bus
 *
 * devx_vdev.c, devx_pci.c and devx_auxiliary.c are the drivers for three buses. They parse the
 * arguments, allocate the port and name it; the rest is the same on every bus.
 */

/**
 * devx_eth_probe - open the device of a port, in the primary process
 * @ethdev: the port, which a failure releases; NULL if it could not be allocated
 *
 * Return: 0 or -errno, logged
 */
int devx_eth_probe(const struct rte_device *device, struct rte_eth_dev *ethdev,
		   const struct devx_eth_args *args);

/** devx_eth_remove - close and release the port of @device, if it has one. Return: 0 or -errno */
int devx_eth_remove(const struct rte_device *device);

#endif
