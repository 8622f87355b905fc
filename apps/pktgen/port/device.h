/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_DEVICE_H
#define PKTGEN_DEVICE_H

/**
 * device_read_node - read the NUMA node of a device from sysfs, before EAL attaches it
 * @device: as EAL names devices: a PCI address, or a driver with the argument ibdev= or iface=
 *
 * Reads below SYSFS_PATH, as libibverbs does, or below /sys.
 *
 * Return: the node; or -1: the kernel does not know it, or the device is not one of the kernel's
 */
int device_read_node(const char *device);

/**
 * device_suggest - find what the user may have meant by a device that EAL refuses
 * @device: the name that the user gave: of an RDMA device or a netdev, of no driver, or a PCI
 *   address whose device has the wrong driver of the kernel
 * @index: number of the port in the command line
 *
 * Return: the end of a message, as "; did you mean net_devx0,ibdev=mlx5_0?", or ""; valid until
 * the next call
 */
const char *device_suggest(const char *device, unsigned index);

#endif
