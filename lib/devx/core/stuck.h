/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_STUCK_H
#define DEVX_STUCK_H

#include <stdbool.h>

#include "devx/dev.h"

/**
 * devx_stuck_count - count an object that the kernel refused to destroy
 * @dev: its device
 *
 * Adds 1 to @dev->n_stuck, unless the kernel has removed the device. The kernel destroys all
 * objects of a removed device, and then refuses every destroy. Internal to the library.
 *
 * Return: whether the device still has the object, and may use its memory
 */
bool devx_stuck_count(struct devx_dev *dev);

#endif
