/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_HAS_NETDEV_H
#define DEVX_ETH_HAS_NETDEV_H

#include <stdbool.h>

#include "devx_port.h"

/** devx_eth_has_netdev - check whether the kernel has a network interface for the port */
bool devx_eth_has_netdev(const struct devx_eth *eth);
/**
 * devx_eth_refuse_change - log that a value cannot be changed without a netdev
 * @eth: the port
 * @what: name of the value, for the message
 *
 * Return: -ENOTSUP
 */
int devx_eth_refuse_change(struct devx_eth *eth, const char *what);

#endif
