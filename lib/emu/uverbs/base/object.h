/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_OBJECT_H
#define EMU_UVERBS_BASE_OBJECT_H

#include "emu/uverbs/base/types.h"

/**
 * uv_obj_alloc - allocate an object without a handle
 * @bytes: size of the object, whose first member is a struct uv_obj
 *
 * Return: the object, zeroed but for the struct uv_obj, or NULL
 */
void *uv_obj_alloc(struct uv_file *file, const struct uv_type *type, size_t bytes);
/** uv_obj_free - free the memory of an object that has no handle; does not call its destroy */
void uv_obj_free(struct uv_obj *obj);
/** uv_obj_add - give @obj the lowest free handle. Return: 0, or -ENOMEM with @obj unchanged */
int uv_obj_add(struct uv_obj *obj);
/**
 * uv_obj_destroy - destroy @obj and free its handle
 *
 * Return: 0; -EBUSY: other objects refer to @obj; else the error of uv_type.destroy. After an
 * error @obj still exists.
 */
int uv_obj_destroy(struct uv_obj *obj);
/** uv_obj_find - find the object of @file that has @handle. Return: the object or NULL */
struct uv_obj *uv_obj_find(const struct uv_file *file, uint64_t handle);

#endif
