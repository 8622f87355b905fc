/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_MR_H
#define EMU_UVERBS_OBJECTS_MR_H

#include "emu/uverbs/memory/pin.h"
#include "emu/uverbs/objects/pd.h"

/** struct uv_mr - a memory region */
struct uv_mr {
	struct uv_obj obj;
	struct uv_pd *pd; /* pd->obj.users counts this region */
	struct uv_pin pin;
	uint64_t iova, bytes;
	uint32_t access;
	bool has_key;
	uint32_t index, lkey;
};

extern const struct uv_type uv_type_mr;

/**
 * uv_mr_check_access - check the access flags of a region
 *
 * Return: 0; -EINVAL: invalid flags; -EOPNOTSUPP: flags that the device does not support
 */
int uv_mr_check_access(uint32_t access);
/** uv_mr_is_writable - check whether @access needs writable pages */
bool uv_mr_is_writable(uint32_t access);
/** uv_mr_alloc - allocate a region that has no memory yet; increments pd->obj.users */
struct uv_mr *uv_mr_alloc(struct uv_file *file, struct uv_pd *pd, uint64_t iova, uint64_t bytes,
			  uint32_t access);
/** uv_mr_pin - pin the memory of a region, which starts at @start. Return: as uv_pin_range() */
int uv_mr_pin(struct uv_mr *mr, uint64_t start);
/**
 * uv_mr_make_key - create the memory key of a pinned region in firmware
 *
 * Return: 0; -EINVAL: no page size fits; -ENOMEM; or firmware's status as -errno
 */
int uv_mr_make_key(struct uv_mr *mr);
/**
 * uv_mr_replace - move key, pin, PD and range of @fresh into @mr, which keeps its handle
 *
 * Return: 0 after freeing @fresh; or -errno, with both regions unchanged
 */
int uv_mr_replace(struct uv_mr *mr, struct uv_mr *fresh);

#endif
