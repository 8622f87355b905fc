/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_UAR_H
#define EMU_UVERBS_OBJECTS_UAR_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: UARs
 *
 * A UAR is a page of doorbell registers. The user maps the page from the uverbs file; the front
 * maps the same page, and the engine reads the doorbells there.
 */

/** struct uv_uar - a UAR */
struct uv_uar {
	struct uv_obj obj;
	unsigned index;
	uint32_t page_id;
	bool made; /* exists in firmware */
	void *page;
};

extern const struct uv_type uv_type_uar;

/**
 * uv_uar_create - allocate a UAR and attach its page to the engine
 * @fd: descriptor of the uverbs file that contains the page
 *
 * Return: 0, -ENOMEM, or firmware's status as -errno
 */
int uv_uar_create(struct uv_file *file, int fd, struct uv_uar **uar);

/**
 * uv_uar_combines_writes - check whether the emulated kernel offers BlueFlame on this machine
 *
 * Source: Linux, drivers/net/ethernet/mellanox/mlx5/core/wc.c, mlx5_wc_support_get().
 */
bool uv_uar_combines_writes(const struct uv_dev *dev);

/** uv_uar_get_offset - return the mmap() offset of the page in the uverbs file */
uint64_t uv_uar_get_offset(const struct uv_uar *u);
/**
 * uv_uar_check_map - check the arguments of a user's mmap()
 *
 * Return: 0; -EINVAL: no UAR of @file at @off, more than one page, or MAP_PRIVATE
 */
int uv_uar_check_map(const struct uv_file *file, uint64_t off, size_t bytes, int flags);

#endif
