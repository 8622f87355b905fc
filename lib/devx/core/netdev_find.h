/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_FIND_H
#define DEVX_NETDEV_FIND_H

#include <stdbool.h>
#include <stddef.h>

/**
 * devx_netdev_find - ask the kernel for the network interface of the first port of an RDMA device
 * @ibdev: name of the device, such as "mlx5_0"
 * @netdev: receives the name; untouched if there is none
 * @bytes: size of @netdev
 *
 * Uses netlink of RDMA. It also knows the interface of a bond and of a function in switchdev mode,
 * whose PCI function has several netdevs in sysfs. Internal to the library.
 *
 * Return: true; false: the kernel did not answer, or names no interface in this network namespace
 */
bool devx_netdev_find(const char *ibdev, char *netdev, size_t bytes);

#endif
