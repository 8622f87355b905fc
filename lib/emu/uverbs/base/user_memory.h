/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_USER_MEMORY_H
#define EMU_UVERBS_BASE_USER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Both return 0, or -EFAULT for a bad address of the user. */
int uv_copy_from_user(void *dst, uint64_t src, size_t bytes);
int uv_copy_to_user(uint64_t dst, const void *src, size_t bytes);

#endif
