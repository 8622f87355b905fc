/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/calls/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/base/user_memory.h"
#include "emu/uverbs/events/channel.h"

enum { INLINE_BYTES = 8 };

static int fetch_input(struct uv_attr *a, const struct ib_uverbs_attr *u)
{
	a->value = u->data;
	if (u->len <= INLINE_BYTES)
		return 0;
	a->fetched = malloc(u->len);
	if (!a->fetched)
		return -ENOMEM;
	return uv_copy_from_user(a->fetched, u->data, u->len);
}

static const uint8_t *get_bytes(const struct uv_attr *a)
{
	return a->fetched ? a->fetched : (const uint8_t *)&a->value;
}

static int take_input(struct uv_attr *a, const struct uv_spec *s, const struct ib_uverbs_attr *u)
{
	uint16_t min = s->min, max = s->max;
	int rc;

	if (s->kind == UV_ENUM) {
		if (u->attr_data.enum_data.elem_id >= s->max)
			return -EOPNOTSUPP;
		if (u->attr_data.enum_data.reserved)
			return -EINVAL;
		a->elem = u->attr_data.enum_data.elem_id;
		max = a->elem ? 0 : min;
		min = max;
	} else if (u->attr_data.reserved) {
		return -EINVAL;
	}
	if (u->len < min || (u->len > max && !s->zero_tail))
		return -EINVAL;
	rc = fetch_input(a, u);
	for (unsigned i = max; !rc && i < u->len; i++)
		if (get_bytes(a)[i])
			rc = -EOPNOTSUPP;
	return rc;
}

static int find_object(struct uv_call *c, const struct uv_type *type, uint64_t handle,
		       struct uv_obj **obj)
{
	if ((int64_t)handle < 0)
		return -EINVAL;
	*obj = uv_obj_find(c->file, handle);
	if (!*obj)
		return -ENOENT;
	return type && (*obj)->type != type ? -EINVAL : 0;
}

static int take_object(struct uv_call *c, struct uv_attr *a, const struct uv_spec *s,
		       const struct ib_uverbs_attr *u)
{
	if (u->attr_data.reserved || u->len)
		return -EINVAL;
	a->value = u->data;
	if (s->access == UV_NEW)
		return c->file->ready ? 0 : -EINVAL;
	if (s->kind == UV_FD)
		return u->data_s64 != (int)u->data_s64
			       ? -EINVAL
			       : uv_channel_find(c->file, (int)u->data, s->type, &a->obj);
	return find_object(c, s->type, u->data, &a->obj);
}

static int take_raw_fd(struct uv_attr *a, const struct ib_uverbs_attr *u)
{
	a->value = u->data;
	return u->attr_data.reserved || u->len || u->data_s64 != (int)u->data_s64 ? -EINVAL : 0;
}

static int take_handles(struct uv_call *c, struct uv_attr *a, const struct uv_spec *s,
			const struct ib_uverbs_attr *u)
{
	const unsigned n = u->len / sizeof(uint32_t);
	int rc;

	if (u->attr_data.reserved || u->len % sizeof(uint32_t) || n < s->min || n > s->max)
		return -EINVAL;
	rc = fetch_input(a, u);
	for (unsigned i = 0; !rc && i < n; i++) {
		uint32_t handle;

		memcpy(&handle, get_bytes(a) + i * sizeof(handle), sizeof(handle));
		rc = find_object(c, s->type, handle, &a->objs[i]);
	}
	return rc;
}

static int take_attr(struct uv_call *c, const struct ib_uverbs_attr *u, struct ib_uverbs_attr *user)
{
	const struct uv_spec *s = c->method->attrs;
	struct uv_attr *a;

	while (s->kind && s->id != u->attr_id)
		s++;
	if (!s->kind)
		return u->flags & UVERBS_ATTR_F_MANDATORY ? -EPROTONOSUPPORT : 0;
	a = &c->attr[s - c->method->attrs];
	if (a->present)
		return -EINVAL;
	a->present = true;
	a->bytes = u->len;
	a->user = user;

	switch ((enum uv_kind)s->kind) {
	case UV_IN:
	case UV_ENUM:
		return take_input(a, s, u);
	case UV_OUT:
		a->value = u->data;
		return u->attr_data.reserved || u->len < s->min || u->len > s->max ? -EINVAL : 0;
	case UV_IDR:
	case UV_FD:
		return take_object(c, a, s, u);
	case UV_RAW_FD:
		return take_raw_fd(a, u);
	case UV_IDRS:
		return take_handles(c, a, s, u);
	}
	return -EOPNOTSUPP;
}

int uv_call_parse(struct uv_call *c, const struct ib_uverbs_attr *attrs,
		  struct ib_uverbs_attr *user, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const int rc = take_attr(c, &attrs[i], &user[i]);

		if (rc)
			return rc;
	}
	for (unsigned i = 0; c->method->attrs[i].kind; i++)
		if (!c->attr[i].present && !c->method->attrs[i].optional)
			return -EINVAL;
	return 0;
}

void uv_call_release(struct uv_call *c)
{
	for (unsigned i = 0; i < UV_MAX_ATTRS; i++)
		free(c->attr[i].fetched);
}
