/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CAPS_QUERY_H
#define DEVX_CAPS_QUERY_H

#include "devx/dev.h"

/*
 * The query of the capabilities. Internal to the library.
 */

/**
 * devx_caps_query - read the capabilities of a device; devx_dev_open() calls this
 * @dev: its context is open; @dev->caps receives the capabilities
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or as devx_cmd_general().
 */
int devx_caps_query(struct devx_dev *dev);

#endif
