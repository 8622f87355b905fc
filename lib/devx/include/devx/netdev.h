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
 * The kernel owns MAC, MTU, promiscuous mode, all-multicast mode and administrative state. These
 * functions change them through netlink, as `ip link` does. A device without a netdev has only the
 * values of its port (devx/port.h).
 *
 * Promiscuous and all-multicast mode are one flag each, shared by all programs and `ip link`: a
 * program that turns a flag off turns it off for all. The kernel counts packet sockets separately.
 *
 * Source: rtnetlink(7), netdevice(7); libnl-route-3 documentation, "Links".
 */

/*
 * Every function of this header:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or
 *   -ENODEV   the device has no netdev, or the netdev was removed or renamed
 *   -EPERM    the process has no CAP_NET_ADMIN (devx_netdev_set_*), or the device is a VF that the
 *             host does not trust
 *   -EINVAL   the function or the netdev does not accept the value
 *   -ENOMEM   out of memory
 *   others    as the kernel returned them
 */

enum { DEVX_NETDEV_MAC_BYTES = 6, DEVX_NETDEV_MTU_MIN = 68, DEVX_NETDEV_MTU_MAX = 65535 };

/**
 * struct devx_netdev - state of a network interface
 * @ifindex: interface index
 * @mac: MAC address in the order of the wire
 * @mtu: largest number of bytes after the Ethernet header
 * @up: administrative state is up
 * @running: administrative state is up and the link has a carrier
 * @promisc: a program or `ip link` turned promiscuous mode on
 * @allmulti: a program or `ip link` turned all-multicast mode on
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

/** devx_netdev_get - read the state of the interface into @netdev; unchanged on failure */
int devx_netdev_get(struct devx_dev *dev, struct devx_netdev *netdev);

/** devx_netdev_set_mac - set the MAC address; @mac: 6 bytes, unicast, not all zero */
int devx_netdev_set_mac(struct devx_dev *dev, const uint8_t *mac);

/**
 * devx_netdev_add_mac - make the interface receive frames to another address
 * @mac: 6 bytes, unicast or multicast
 *
 * The entry stays until it is removed, even after the process ends. Source: bridge(8), `bridge fdb
 * add MAC dev NETDEV self`.
 *
 * Return: as all functions of this header, and
 *   -EEXIST      the interface has this entry already
 *   -EOPNOTSUPP  the interface has no list of addresses
 */
int devx_netdev_add_mac(struct devx_dev *dev, const uint8_t *mac);

/** devx_netdev_remove_mac - undo devx_netdev_add_mac(); also returns 0 if the entry is absent */
int devx_netdev_remove_mac(struct devx_dev *dev, const uint8_t *mac);

/**
 * devx_netdev_get_max_mtu - read the highest MTU that the interface accepts
 * @mtu: receives the MTU; DEVX_NETDEV_MTU_MAX if the kernel has no limit; unchanged on failure
 *
 * Source: rtnetlink, attribute IFLA_MAX_MTU of Linux 4.19 and later.
 *
 * Return: as all functions of this header, and -EIO: netlink failed.
 */
int devx_netdev_get_max_mtu(struct devx_dev *dev, uint32_t *mtu);

/** devx_netdev_set_mtu - set the MTU; @mtu: 68..65535 bytes, and within limits of the netdev */
int devx_netdev_set_mtu(struct devx_dev *dev, uint32_t mtu);

/** devx_netdev_set_promisc - turn promiscuous mode on or off, for all programs */
int devx_netdev_set_promisc(struct devx_dev *dev, bool on);

/** devx_netdev_set_allmulti - turn all-multicast mode on or off, for all programs */
int devx_netdev_set_allmulti(struct devx_dev *dev, bool on);

/** devx_netdev_set_up - set the administrative state: up (true) or down (false) */
int devx_netdev_set_up(struct devx_dev *dev, bool up);

#ifdef __cplusplus
}
#endif

#endif
