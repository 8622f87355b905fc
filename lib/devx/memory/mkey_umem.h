/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_MKEY_UMEM_H
#define DEVX_MKEY_UMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Memory key over a umem
 *
 * The mkey turns the pages of a umem into packet memory: WQEs name its lkey like that of a memory
 * region. Umem and mkey use pages of 4 KiB, the smallest size of the device.
 *
 * PRM-MISSING: an mkey over a umem translates start_addr to mkey_umem_offset. The library gives it
 * only addresses and offsets that are page-aligned, where no other reading is possible.
 */

struct mlx5dv_devx_obj;

enum { DEVX_MKEY_LOG_PAGE = 12 };

/**
 * struct devx_mkey_umem_attr - attributes of the mkey
 * @umem_id: number of the umem in firmware; its pages are 1 << DEVX_MKEY_LOG_PAGE bytes
 * @addr: address of the first byte of the umem in WQEs, page-aligned
 * @bytes: length, at most that of the umem
 * @write: the device may write
 */
struct devx_mkey_umem_attr {
	uint32_t umem_id;
	uint64_t addr;
	uint64_t bytes;
	bool write;
};

/**
 * devx_mkey_umem_create - create an mkey over a umem
 * @obj: receives the handle for devx_cmd_destroy(); unchanged on failure
 * @lkey: receives the memory key; unchanged on failure
 *
 * Return: as devx_cmd_create().
 */
int devx_mkey_umem_create(struct devx_dev *dev, const struct devx_mkey_umem_attr *attr,
			  struct mlx5dv_devx_obj **obj, uint32_t *lkey);

#endif
