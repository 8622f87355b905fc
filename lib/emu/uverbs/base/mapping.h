/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_MAPPING_H
#define EMU_UVERBS_BASE_MAPPING_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: UAR pages and clock pages that the user has mapped
 *
 * A mapping keeps its uverbs file open, as in Linux: after the last close() the context exists
 * until the last munmap(). The offset of a mapped page is given to no other UAR.
 *
 * All functions but uv_mapping_exists_in() need uv_front_lock().
 */

/** uv_mapping_add - record that the user mapped the page at @off of @file. Return: 0 or -ENOMEM */
int uv_mapping_add(struct uv_file *file, const void *addr, uint64_t off);
/** uv_mapping_has_offset - tell whether the user has mapped the page at @off of @file */
bool uv_mapping_has_offset(const struct uv_file *file, uint64_t off);
/** uv_mapping_remove_in - forget the mapped pages in [addr, addr + bytes) */
void uv_mapping_remove_in(const void *addr, size_t bytes);
/** uv_mapping_exists_in - tell whether a mapped page lies in the range. Takes no lock */
bool uv_mapping_exists_in(const void *addr, size_t bytes);

#endif
