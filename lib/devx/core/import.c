/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/core/import.h"

#include <infiniband/mlx5dv.h>

#include "devx/share.h"

bool devx_obj_is_imported(const struct devx_dev *dev, const struct mlx5dv_devx_obj *obj)
{
	for (const struct devx_import *i = dev->imports; i; i = i->next)
		if (i->obj == obj)
			return true;
	return false;
}

#ifdef DEVX_HAS_OBJ_EXPORT

void devx_obj_unimport(struct devx_import *import)
{
	if (import->obj) {
		struct devx_import **at = &import->dev->imports;

		while (*at != import)
			at = &(*at)->next;
		*at = import->next;
		mlx5dv_devx_obj_unimport(import->obj);
	}
	*import = (struct devx_import){ 0 };
}

#else

void devx_obj_unimport(struct devx_import *import)
{
	*import = (struct devx_import){ 0 };
}

#endif
