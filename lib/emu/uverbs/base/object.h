/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_OBJECT_H
#define EMU_UVERBS_BASE_OBJECT_H

#include "emu/uverbs/base/types.h"

/**
 * uv_obj_alloc - allocate an object without a handle
 * @bytes: size of the object, whose first member is a struct uv_obj
 *
 * Return: the object, with all members after its struct uv_obj zeroed; or NULL
 */
void *uv_obj_alloc(struct uv_file *file, const struct uv_type *type, size_t bytes);
/** uv_obj_free - free the memory of an object without a handle; does not call uv_type.destroy */
void uv_obj_free(struct uv_obj *obj);
/** uv_obj_add - assign the lowest free handle to @obj. Return: 0, or -ENOMEM with @obj unchanged */
int uv_obj_add(struct uv_obj *obj);
/**
 * uv_obj_destroy - destroy @obj and free its handle
 *
 * Return: 0; -EBUSY: other objects refer to @obj; else the error of uv_type.destroy. After an
 * error @obj still exists.
 */
int uv_obj_destroy(struct uv_obj *obj);
/** uv_obj_find - find the object of @file with @handle. Return: the object or NULL */
struct uv_obj *uv_obj_find(const struct uv_file *file, uint64_t handle);

#endif
