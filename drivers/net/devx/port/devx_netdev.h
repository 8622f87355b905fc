/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_NETDEV_H
#define DEVX_ETH_NETDEV_H

#include <stdbool.h>

#include "devx_port.h"

/**
 * DOC: The network interface of a port
 *
 * The kernel's network interface (netdev) owns MAC address, MTU, promiscuous mode and all-multicast
 * mode; the driver changes them there. A port without a netdev has the values that firmware
 * reports, and the driver refuses to change them.
 */

/** devx_eth_port_read - read the values of the port, set its netdev up. 0 or -errno, logged */
int devx_eth_port_read(struct devx_eth *eth);
/**
 * devx_eth_netdev_apply - apply the settings of the port to the netdev of a device that came back
 *
 * These are the MAC address, the administrative state, and the MTU if the netdev has a lower one.
 * Also modes, pause frames and addresses of a VF, if this driver had set them. The caller holds
 * eth->lock.
 *
 * Return: 0, -EAGAIN if the kernel has not made the netdev yet, or another -errno. Logged.
 */
int devx_eth_netdev_apply(struct devx_eth *eth);
/** devx_eth_netdev_undo - undo what this driver changed in the netdev: modes and addresses */
void devx_eth_netdev_undo(struct devx_eth *eth);

#endif
