/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *uv_obj_alloc(struct uv_file *file, const struct uv_type *type, size_t bytes)
{
	struct uv_obj *o = calloc(1, bytes);

	if (!o)
		return NULL;
	o->type = type;
	o->file = file;
	o->handle = UINT32_MAX;
	return o;
}

void uv_obj_free(struct uv_obj *o)
{
	free(o);
}

int uv_obj_add(struct uv_obj *o)
{
	struct uv_file *f = o->file;
	uint32_t i = 0;

	while (i < f->n_slots && f->slot[i])
		i++;
	if (i == f->n_slots) {
		const uint32_t n = f->n_slots ? f->n_slots * 2 : 16;
		struct uv_obj **slot = realloc(f->slot, n * sizeof(struct uv_obj *));

		if (!slot)
			return -ENOMEM;
		memset(slot + f->n_slots, 0, (n - f->n_slots) * sizeof(struct uv_obj *));
		f->slot = slot;
		f->n_slots = n;
	}
	f->slot[i] = o;
	f->n_objs++;
	o->handle = i;
	o->older = f->newest;
	if (o->older)
		o->older->newer = o;
	f->newest = o;
	return 0;
}

int uv_obj_destroy(struct uv_obj *o)
{
	struct uv_file *f = o->file;
	int rc = o->users ? -EBUSY : 0;

	if (!rc && o->type->destroy)
		rc = o->type->destroy(o);
	if (rc)
		return rc;
	if (o->handle != UINT32_MAX) {
		f->slot[o->handle] = NULL;
		f->n_objs--;
		if (o->newer)
			o->newer->older = o->older;
		else
			f->newest = o->older;
		if (o->older)
			o->older->newer = o->newer;
	}
	free(o);
	return 0;
}

struct uv_obj *uv_obj_find(const struct uv_file *f, uint64_t handle)
{
	return handle < f->n_slots ? f->slot[handle] : NULL;
}
