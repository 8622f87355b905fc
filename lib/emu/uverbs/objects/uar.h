/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_UAR_H
#define EMU_UVERBS_OBJECTS_UAR_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: UARs
 *
 * Pages of doorbell registers. The user maps them from the uverbs file; the engine watches
 * the same page through a mapping of ours.
 */

/** struct uv_uar - a UAR */
struct uv_uar {
	struct uv_obj obj;
	unsigned index;
	uint32_t page_id;
	bool made;
	void *page;
};

extern const struct uv_type uv_type_uar;

/**
 * uv_uar_create - ALLOC_UAR, and let the engine watch its page
 * @fd: a descriptor of the uverbs file, whose page it is
 *
 * Return: 0, -ENOMEM, firmware's
 */
int uv_uar_create(struct uv_file *file, int fd, struct uv_uar **uar);

/** uv_uar_get_offset - where the user finds the page in the uverbs file */
uint64_t uv_uar_get_offset(const struct uv_uar *u);

#endif
