/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_DEV_PARTS_H
#define DEVX_DEV_PARTS_H

#include "devx/dev.h"

/**
 * DOC: The steps of opening a device
 *
 * Internal to the library: devx_dev_open_attr() opens a context of its own, devx_dev_import() takes
 * that of another process. The rest is the same.
 */

struct ibv_device;

/** devx_dev_read_names - set the names, the PCI address and the NUMA node of @dev */
void devx_dev_read_names(struct devx_dev *dev, struct ibv_device *device);

/** devx_dev_read_pdn - set @dev->pdn from @dev->pd. Return: 0 or -errno, with the reason in @dev */
int devx_dev_read_pdn(struct devx_dev *dev);

/**
 * devx_dev_query - begin the account of commands, read firmware version and capabilities
 *
 * Return: as devx_dev_open().
 */
int devx_dev_query(struct devx_dev *dev);

/** devx_dev_abandon - close a device that cannot be opened; keeps @dev->refusal */
void devx_dev_abandon(struct devx_dev *dev);

#endif
