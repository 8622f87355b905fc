/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_MR_H
#define EMU_UVERBS_OBJECTS_MR_H

#include "emu/uverbs/memory/pin.h"
#include "emu/uverbs/objects/pd.h"

/** struct uv_mr - a memory region */
struct uv_mr {
	struct uv_obj obj;
	struct uv_pd *pd; /* counted in pd->obj.users */
	struct uv_pin pin;
	uint64_t iova, bytes;
	uint32_t access;
	bool has_key;
	uint32_t index, lkey;
};

extern const struct uv_type uv_type_mr;

/** uv_mr_check_access - may a region have this access? Return: 0 or -EINVAL */
int uv_mr_check_access(uint32_t access);
/** uv_mr_is_writable - must the pages be writable for it? */
bool uv_mr_is_writable(uint32_t access);
/** uv_mr_alloc - a region without memory; counts itself in @pd */
struct uv_mr *uv_mr_alloc(struct uv_file *file, struct uv_pd *pd, uint64_t iova, uint64_t bytes,
			  uint32_t access);
/** uv_mr_pin - pin process memory at @start. Return: as uv_pin_range() */
int uv_mr_pin(struct uv_mr *mr, uint64_t start);
/** uv_mr_make_key - CREATE_MKEY over what is pinned. Return: 0, -EINVAL: no page size fits, ... */
int uv_mr_make_key(struct uv_mr *mr);
/**
 * uv_mr_replace - @mr becomes what @fresh is, and keeps its handle
 *
 * Return: 0, and @fresh is gone; or -errno, and both are as they were
 */
int uv_mr_replace(struct uv_mr *mr, struct uv_mr *fresh);

#endif
