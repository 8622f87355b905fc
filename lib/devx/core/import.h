/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_IMPORT_H
#define DEVX_IMPORT_H

#include <stdbool.h>

struct devx_dev;
struct mlx5dv_devx_obj;

/**
 * devx_obj_is_imported - check whether a handle is an import of @dev
 *
 * Internal to the library: such an object is destroyed by its owner only.
 */
bool devx_obj_is_imported(const struct devx_dev *dev, const struct mlx5dv_devx_obj *obj);

#endif
