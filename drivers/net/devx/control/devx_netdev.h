/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_NETDEV_H
#define DEVX_ETH_NETDEV_H

#include <stdbool.h>

#include "devx_port.h"

/**
 * DOC: The network interface of a port
 *
 * MAC address, MTU and promiscuity belong to the kernel's network interface, and are changed
 * through it. Where the port has none, the values that firmware gives are used, and a change
 * is refused with the reason.
 */

/** devx_eth_has_netdev - whether the kernel has a network interface for the port */
bool devx_eth_has_netdev(const struct devx_eth *eth);
/**
 * devx_eth_refuse_change - log that @what cannot change, because the port has no netdev
 *
 * Return: -ENOTSUP
 */
int devx_eth_refuse_change(struct devx_eth *eth, const char *what);
/** devx_eth_port_read - read the port's values, bring its netdev up. 0 or -errno, logged */
int devx_eth_port_read(struct devx_eth *eth);
/** devx_eth_port_restore - turn off the modes of the netdev that this driver turned on */
void devx_eth_port_restore(struct devx_eth *eth);

#endif
