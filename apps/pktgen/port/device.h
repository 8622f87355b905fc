/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_DEVICE_H
#define PKTGEN_DEVICE_H

/**
 * device_read_node - read the NUMA node of a device from sysfs, before EAL attaches it
 * @device: as EAL names devices: a PCI address, or a driver with the argument ibdev= or iface=
 *
 * Reads below SYSFS_PATH if that is set, as libibverbs does, otherwise below /sys.
 *
 * Return: the node; or -1 if the kernel does not know the device or its node
 */
int device_read_node(const char *device);

/**
 * device_suggest - find what the user may have meant by a device that EAL refuses
 * @device: the name that the user gave: an RDMA device, a netdev, a misspelt driver, or the PCI
 *   address of a device that is bound to the wrong kernel driver
 * @index: number of the port on the command line
 *
 * Return: the end of a message, such as "; did you mean net_devx0,ibdev=mlx5_0?", or "". Valid
 * until the next call
 */
const char *device_suggest(const char *device, unsigned index);

#endif
