/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_OBJECT_H
#define EMU_UVERBS_BASE_OBJECT_H

#include "emu/uverbs/base/types.h"

/** uv_obj_alloc - allocate an object of @bytes that starts with struct uv_obj; not visible yet */
void *uv_obj_alloc(struct uv_file *file, const struct uv_type *type, size_t bytes);
/** uv_obj_free - free one that never came to anything */
void uv_obj_free(struct uv_obj *obj);
/** uv_obj_add - give it a handle. Return: 0, or -ENOMEM and it is as before */
int uv_obj_add(struct uv_obj *obj);
/** uv_obj_destroy - destroy it and give its handle back. Return: 0, or -errno and it stays */
int uv_obj_destroy(struct uv_obj *obj);
/** uv_obj_find - by handle. Return: the object or NULL */
struct uv_obj *uv_obj_find(const struct uv_file *file, uint64_t handle);

#endif
