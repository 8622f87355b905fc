/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_H
#define DEVX_NETDEV_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: The kernel's network interface of the port
 *
 *     this program --netlink--> netdev --mlx5_core--> vport, port
 *
 * MAC, MTU, promiscuous and administrative state belong to the kernel, and are changed
 * through it, as `ip link` does. A device need not have a netdev: then every function
 * returns -ENODEV and the port's own values hold (devx/port.h).
 *
 * Promiscuous and allmulti are flags that programs share: the kernel keeps one bit of ours
 * and its own count of others, as with `ip link set promisc on`.
 *
 * All of them:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -ENODEV   the device has no netdev, or it has gone
 *   -EPERM    no CAP_NET_ADMIN (setters), or a VF whose host does not trust it
 *   -EINVAL   the netdev does not take the value
 *   -ENOMEM   out of memory
 *   others    as the kernel returned them
 *
 * Source: rtnetlink(7), netdevice(7); libnl-route-3 documentation, "Links".
 */

enum { DEVX_NETDEV_MAC_BYTES = 6, DEVX_NETDEV_MTU_MIN = 68, DEVX_NETDEV_MTU_MAX = 65535 };

/**
 * struct devx_netdev - state of the interface
 * @ifindex: its number
 * @mac: its address
 * @mtu: most bytes after the Ethernet header
 * @up: it is meant to be up
 * @running: it is up and has a carrier
 * @promisc: it takes every frame
 * @allmulti: it takes every multicast frame
 */
struct devx_netdev {
	int ifindex;
	uint8_t mac[DEVX_NETDEV_MAC_BYTES];
	uint32_t mtu;
	bool up;
	bool running;
	bool promisc;
	bool allmulti;
};

#ifdef __cplusplus
extern "C" {
#endif

/** devx_netdev_get - read its state into @netdev, which is untouched on failure */
int devx_netdev_get(struct devx_dev *dev, struct devx_netdev *netdev);

/** devx_netdev_set_mac - change its address to @mac, 6 bytes; no multicast, not all zero */
int devx_netdev_set_mac(struct devx_dev *dev, const uint8_t *mac);

/** devx_netdev_set_mtu - change its MTU, DEVX_NETDEV_MTU_MIN..MAX and within its own limits */
int devx_netdev_set_mtu(struct devx_dev *dev, uint32_t mtu);

/** devx_netdev_set_promisc - take every frame, or not */
int devx_netdev_set_promisc(struct devx_dev *dev, bool on);

/** devx_netdev_set_allmulti - take every multicast frame, or not */
int devx_netdev_set_allmulti(struct devx_dev *dev, bool on);

/** devx_netdev_set_up - bring it up, or down */
int devx_netdev_set_up(struct devx_dev *dev, bool up);

#ifdef __cplusplus
}
#endif

#endif
