/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_DEV_PARTS_H
#define DEVX_DEV_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "devx/dev.h"

/*
 * Steps that devx_dev_open_attr() and devx_dev_import() share. Internal to the library. The first
 * opens a new context, the second imports the context of another process. All later steps are the
 * same.
 */

struct ibv_device;

/** devx_dev_read_names - set the names, the PCI address and the NUMA node of @dev */
void devx_dev_read_names(struct devx_dev *dev, struct ibv_device *device);

/** devx_dev_read_pdn - set @dev->pdn from @dev->pd. Return: 0 or -errno, with the reason in @dev */
int devx_dev_read_pdn(struct devx_dev *dev);

/**
 * devx_dev_query - start to account for commands, read firmware version and capabilities
 *
 * Return: as devx_dev_open().
 */
int devx_dev_query(struct devx_dev *dev);

/** devx_dev_abandon - close a device after a failed open; keeps @dev->refusal */
void devx_dev_abandon(struct devx_dev *dev);

/** devx_context_validate - check the descriptors of @attr. Return: 0, -EINVAL or -ENOTSUP */
int devx_context_validate(struct devx_dev *dev, const struct devx_dev_attr *attr);

/**
 * devx_context_open - open the context @dev->ctx of @device
 * @attr: accepted by devx_context_validate()
 *
 * Return: 0 or -errno, with the reason in @dev
 */
int devx_context_open(struct devx_dev *dev, struct ibv_device *device,
		      const struct devx_dev_attr *attr);

/**
 * devx_caps_query - read the capabilities of a device into @dev->caps; its context is open
 *
 * Return: 0, or as devx_cmd_general().
 */
int devx_caps_query(struct devx_dev *dev);

/**
 * devx_netdev_find - ask the kernel for the network interface of the first port of an RDMA device
 * @ibdev: name of the device, such as "mlx5_0"
 * @netdev: receives the name; unchanged if there is none
 * @bytes: size of @netdev
 *
 * Uses RDMA netlink, which also finds the interface of a bond and of a function in switchdev mode.
 * In sysfs, the PCI function of such a device has several netdevs.
 *
 * Return: true, or false if the kernel does not answer or names no interface in this network
 * namespace
 */
bool devx_netdev_find(const char *ibdev, char *netdev, size_t bytes);

#endif
