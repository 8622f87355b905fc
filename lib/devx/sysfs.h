/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SYSFS_H
#define DEVX_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What sysfs knows of an RDMA device. @ibdev_path is struct ibv_device's, which honours
 * SYSFS_PATH. Internal to the library.
 */

/**
 * devx_sysfs_read_pci - PCI address of the function behind an RDMA device
 * @ibdev_path: its directory
 * @pci: receives "0000:08:00.0", or "" if it is no PCI function
 * @bytes: size of @pci
 */
void devx_sysfs_read_pci(const char *ibdev_path, char *pci, size_t bytes);

/**
 * devx_sysfs_read_netdev - network interface of the first port
 * @ibdev_path: its directory
 * @netdev: receives "eth0", or "" if there is none
 * @bytes: size of @netdev
 */
void devx_sysfs_read_netdev(const char *ibdev_path, char *netdev, size_t bytes);

/** devx_sysfs_read_numa_node - NUMA node of the PCI slot, or -1 */
int devx_sysfs_read_numa_node(const char *ibdev_path);

/**
 * devx_pci_normalise - write a PCI address in full
 * @name: "08:00.0", "0000:08:00.0", any case
 * @pci: receives "0000:08:00.0"
 * @bytes: size of @pci
 *
 * Return: false if @name is no PCI address.
 */
bool devx_pci_normalise(const char *name, char *pci, size_t bytes);

#endif
