/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CONTEXT_H
#define DEVX_CONTEXT_H

/**
 * DOC: The verbs context of a device, with DEVX rights
 *
 * Internal to the library: devx_dev_open_attr() calls both functions.
 */

struct devx_dev;
struct devx_dev_attr;
struct ibv_device;

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

#endif
