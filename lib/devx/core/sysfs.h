/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SYSFS_H
#define DEVX_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "devx/netdev_trust.h"

/*
 * Attributes of an RDMA device in sysfs. @ibdev_path is the device's directory, from struct
 * ibv_device; the environment variable SYSFS_PATH of libibverbs can change it. @bytes is the size
 * of the buffer in the argument before it. Internal to the library.
 */

/** devx_sysfs_read_pci - read the PCI address, "0000:08:00.0"; "" if not a PCI function */
void devx_sysfs_read_pci(const char *ibdev_path, char *pci, size_t bytes);

/** devx_sysfs_read_netdev - read the name of the first port's network interface; "": none */
void devx_sysfs_read_netdev(const char *ibdev_path, char *netdev, size_t bytes);

/**
 * devx_sysfs_read_parent - read the name of the parent device
 * @name: receives "0000:08:00.0", or "mlx5_core.sf.4" for a sub-function; "": unknown
 */
void devx_sysfs_read_parent(const char *ibdev_path, char *name, size_t bytes);

/** devx_sysfs_read_numa_node - read the NUMA node of the PCI slot; -1: unknown */
int devx_sysfs_read_numa_node(const char *ibdev_path);

/**
 * devx_sysfs_is_vf - check whether an RDMA device is a virtual function of PCI SR-IOV
 *
 * On the host of its physical function, a VF has the attribute `physfn`. In a virtual machine, only
 * its PCI device ID reveals that it is a VF.
 */
bool devx_sysfs_is_vf(const char *ibdev_path);

/**
 * devx_pci_normalise - write a PCI address in full, such as "0000:08:00.0"
 * @name: "08:00.0" or "0000:08:00.0", in lower or upper case
 *
 * Return: false if @name is not a PCI address.
 */
bool devx_pci_normalise(const char *name, char *pci, size_t bytes);

/**
 * devx_sysfs_read_physfn - read a network interface of the physical function of a VF
 * @index: number of the interface, from 0; in switchdev mode there are several
 * @physfn: receives the name and the number of the VF; unchanged if there is none
 *
 * Reads device/physfn/virtfnN and device/physfn/net/NETDEV.
 *
 * Return: true, or false if the device is not a VF or has no such interface.
 */
bool devx_sysfs_read_physfn(const char *ibdev_path, unsigned index,
			    struct devx_netdev_physfn *physfn);

#endif
