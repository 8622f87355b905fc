/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DEVICE_MAP_H
#define DEVX_ETH_DEVICE_MAP_H

#include <stddef.h>

#include "devx_port.h"

/* rte_dev_dma_map() and rte_dev_dma_unmap() on any bus. Return: 0, or -errno, logged and stored in
 * rte_errno. */
int devx_eth_device_map(const struct rte_device *device, const void *addr, size_t bytes);
int devx_eth_device_unmap(const struct rte_device *device, const void *addr, size_t bytes);

/**
 * devx_eth_port_enter - enter the gate of a port in a function that is not an operation of ethdev
 * @subject: beginning of the message if the gate is closed
 *
 * Return: 0, or as devx_eth_gate_enter(), logged
 */
int devx_eth_port_enter(const char *subject, struct devx_eth *eth);

#endif
