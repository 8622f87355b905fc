/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_NETDEV_H
#define DEVX_ETH_NETDEV_H

#include "devx_port.h"

/**
 * DOC: The network interface of a port
 *
 * MAC address, MTU, promiscuous mode and all-multicast mode belong to the network interface of the
 * kernel (netdev), and the driver changes them there. Without a netdev, the port has the values
 * that firmware reports, and the driver refuses to change them.
 */

/** devx_eth_port_read - read the values of the port and set its netdev up. 0 or -errno, logged */
int devx_eth_port_read(struct devx_eth *eth);
/**
 * devx_eth_netdev_apply - apply the settings of the port to the netdev of a device that came back
 *
 * Sets the MAC address, sets the netdev up, and raises its MTU to that of the port. Also sets the
 * modes, pause frames and VF addresses that this driver had set before the loss. The caller holds
 * eth->lock.
 *
 * Return: 0, -EAGAIN if the kernel has not created the netdev yet, or another -errno; logged
 */
int devx_eth_netdev_apply(struct devx_eth *eth);
/** devx_eth_netdev_undo - restore the modes and addresses that this driver changed in the netdev */
void devx_eth_netdev_undo(struct devx_eth *eth);

#endif
