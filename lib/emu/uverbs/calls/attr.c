/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/calls/attr.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/base/user_memory.h"

struct uv_attr *uv_attr_find(struct uv_call *c, uint16_t id)
{
	const struct uv_spec *s = c->method->attrs;

	for (unsigned i = 0; s[i].kind; i++)
		if (s[i].id == id)
			return c->attr[i].present ? &c->attr[i] : NULL;
	return NULL;
}

void *uv_attr_get_bytes(struct uv_call *c, uint16_t id, size_t *bytes)
{
	struct uv_attr *a = uv_attr_find(c, id);

	if (!a)
		return NULL;
	if (bytes)
		*bytes = a->bytes;
	return a->fetched ? a->fetched : (void *)&a->value;
}

uint64_t uv_attr_get_number(struct uv_call *c, uint16_t id, uint64_t absent)
{
	size_t bytes;
	const void *p = uv_attr_get_bytes(c, id, &bytes);
	uint64_t v = 0;

	if (!p)
		return absent;
	memcpy(&v, p, bytes < sizeof(v) ? bytes : sizeof(v)); /* little-endian hosts only */
	return v;
}

int uv_attr_get_flags(struct uv_call *c, uint16_t id, uint64_t allowed, uint64_t *flags)
{
	const struct uv_attr *a = uv_attr_find(c, id);

	*flags = uv_attr_get_number(c, id, 0);
	if (a && a->bytes != 4 && a->bytes != 8)
		return -EINVAL;
	return *flags & ~allowed ? -EINVAL : 0;
}

void *uv_attr_get_obj(struct uv_call *c, uint16_t id)
{
	const struct uv_attr *a = uv_attr_find(c, id);

	return a ? a->obj : NULL;
}

static int mark_output_valid(const struct uv_attr *a)
{
	uint16_t flags;

	if (uv_copy_from_user(&flags, (uintptr_t)&a->user->flags, sizeof(flags)))
		return -EFAULT;
	flags |= UVERBS_ATTR_F_VALID_OUTPUT;
	return uv_copy_to_user((uintptr_t)&a->user->flags, &flags, sizeof(flags));
}

int uv_attr_write(struct uv_call *c, uint16_t id, const void *src, size_t bytes)
{
	const struct uv_attr *a = uv_attr_find(c, id);

	if (!a)
		return -ENOENT;
	if (uv_copy_to_user(a->value, src, bytes < a->bytes ? bytes : a->bytes))
		return -EFAULT;
	return mark_output_valid(a);
}

int uv_attr_write_struct(struct uv_call *c, uint16_t id, const void *src, size_t bytes)
{
	static const uint8_t zero[256];
	const struct uv_attr *a = uv_attr_find(c, id);

	if (!a)
		return -ENOENT;
	for (size_t at = bytes; at < a->bytes; at += sizeof(zero)) {
		const size_t left = a->bytes - at;

		if (uv_copy_to_user(a->value + at, zero, left < sizeof(zero) ? left : sizeof(zero)))
			return -EFAULT;
	}
	return uv_attr_write(c, id, src, bytes);
}

int uv_attr_publish_obj(struct uv_call *c, uint16_t id, struct uv_obj *obj)
{
	const struct uv_attr *a = uv_attr_find(c, id);
	int rc = uv_obj_add(obj);

	if (!rc) {
		const uint64_t handle = obj->handle;

		rc = uv_copy_to_user((uintptr_t)&a->user->data, &handle, sizeof(handle));
	}
	if (rc)
		uv_obj_destroy(obj);
	return rc;
}

int uv_attr_publish_fd(struct uv_call *c, uint16_t id, int fd)
{
	const struct uv_attr *a = uv_attr_find(c, id);
	const int64_t value = fd;

	return uv_copy_to_user((uintptr_t)&a->user->data_s64, &value, sizeof(value));
}
