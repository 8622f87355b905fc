/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_MAPPING_H
#define EMU_UVERBS_BASE_MAPPING_H

#include "emu/uverbs/base/types.h"

/**
 * DOC: UAR pages and clock pages that the user has mapped
 *
 * A mapping keeps its uverbs file open, as in Linux: after the last close() the context exists
 * until the last munmap(). No other UAR gets the offset of a mapped page.
 *
 * All functions except uv_mapping_exists_in() need uv_front_lock().
 */

/** uv_mapping_add - record that the user mapped the page at @off of @file. Return: 0 or -ENOMEM */
int uv_mapping_add(struct uv_file *file, const void *addr, uint64_t off);
/** uv_mapping_has_offset - check whether the user has mapped the page at @off of @file */
bool uv_mapping_has_offset(const struct uv_file *file, uint64_t off);
/**
 * uv_mapping_remove_in - forget the mapped pages in [addr, addr + bytes)
 * @unmapped: called for each of these pages, or NULL
 */
void uv_mapping_remove_in(const void *addr, size_t bytes,
			  void (*unmapped)(const struct uv_file *file, uint64_t off));

/* Pages that another process has mapped. @peer identifies the process. */

/**
 * uv_mapping_add_of - record that @peer mapped the page at @off of @file
 *
 * Return: 0; -ENOMEM: @peer, or all other processes together, have too many mappings
 */
int uv_mapping_add_of(const void *peer, struct uv_file *file, uint64_t off);
/** uv_mapping_copy_to - copy the mappings of this process to @peer, its child of fork() */
void uv_mapping_copy_to(const void *peer);
/** uv_mapping_remove_of - forget one mapping by @peer of the page at @off of the file with @ino */
void uv_mapping_remove_of(const void *peer, ino_t ino, uint64_t off);
/** uv_mapping_remove_all_of - forget all mappings of @peer, which has ended */
void uv_mapping_remove_all_of(const void *peer);

/** uv_mapping_exists_in - check whether the range contains a mapped page. Takes no lock */
bool uv_mapping_exists_in(const void *addr, size_t bytes);

#endif
