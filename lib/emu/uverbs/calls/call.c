/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/calls/call.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, INLINE_BYTES = 8 };

/* A kernel without process_vm_readv (or a sandbox that forbids it) costs us EFAULT, no more. */
static int copy(bool in, void *mine, uint64_t user, size_t bytes)
{
	struct iovec local = { mine, bytes };
	struct iovec remote = { (void *)(uintptr_t)user, bytes };
	ssize_t n;

	if (!bytes)
		return 0;
	n = in ? process_vm_readv(getpid(), &local, 1, &remote, 1, 0)
	       : process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	if (n == (ssize_t)bytes)
		return 0;
	if (n < 0 && (errno == ENOSYS || errno == EPERM)) {
		if (in)
			memcpy(mine, remote.iov_base, bytes);
		else
			memcpy(remote.iov_base, mine, bytes);
		return 0;
	}
	return -EFAULT;
}

int uv_copy_in(void *dst, uint64_t src, size_t bytes)
{
	return copy(true, dst, src, bytes);
}

int uv_copy_out(uint64_t dst, const void *src, size_t bytes)
{
	return copy(false, (void *)(uintptr_t)src, dst, bytes);
}

/* ---- parsing -------------------------------------------------------------------- */

static int fetch(struct uv_attr *a, const struct ib_uverbs_attr *u)
{
	a->value = u->data;
	if (u->len <= INLINE_BYTES)
		return 0;
	a->fetched = malloc(u->len);
	if (!a->fetched)
		return -ENOMEM;
	return uv_copy_in(a->fetched, u->data, u->len);
}

static const uint8_t *bytes_of(const struct uv_attr *a)
{
	return a->fetched ? a->fetched : (const uint8_t *)&a->value;
}

static int take_in(struct uv_attr *a, const struct uv_spec *s, const struct ib_uverbs_attr *u)
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
	rc = fetch(a, u);
	for (unsigned i = max; !rc && i < u->len; i++)
		if (bytes_of(a)[i])
			rc = -EOPNOTSUPP;
	return rc;
}

static int lookup(struct uv_call *c, const struct uv_type *type, uint64_t handle,
		  struct uv_obj **obj)
{
	if ((int64_t)handle < 0)
		return -EINVAL;
	*obj = uv_obj_at(c->file, handle);
	if (!*obj)
		return -ENOENT;
	return type && (*obj)->type != type ? -EINVAL : 0;
}

static int take_obj(struct uv_call *c, struct uv_attr *a, const struct uv_spec *s,
		    const struct ib_uverbs_attr *u)
{
	if (u->attr_data.reserved || u->len)
		return -EINVAL;
	a->value = u->data;
	if (s->access == UV_NEW)
		return c->file->ready ? 0 : -EINVAL;
	if (s->kind == UV_FD)
		return u->data_s64 != (int)u->data_s64
			       ? -EINVAL : uv_fd_obj(c->file, (int)u->data, s->type, &a->obj);
	return lookup(c, s->type, u->data, &a->obj);
}

static int take_raw_fd(struct uv_attr *a, const struct ib_uverbs_attr *u)
{
	a->value = u->data;
	return u->attr_data.reserved || u->len || u->data_s64 != (int)u->data_s64 ? -EINVAL : 0;
}

static int take_idrs(struct uv_call *c, struct uv_attr *a, const struct uv_spec *s,
		     const struct ib_uverbs_attr *u)
{
	const unsigned n = u->len / sizeof(uint32_t);
	int rc;

	if (u->attr_data.reserved || u->len % sizeof(uint32_t) || n < s->min || n > s->max)
		return -EINVAL;
	rc = fetch(a, u);
	for (unsigned i = 0; !rc && i < n; i++) {
		uint32_t handle;

		memcpy(&handle, bytes_of(a) + i * sizeof(handle), sizeof(handle));
		rc = lookup(c, s->type, handle, &a->objs[i]);
		a->n_objs = i + 1;
	}
	return rc;
}

static int take(struct uv_call *c, const struct ib_uverbs_attr *u, struct ib_uverbs_attr *user)
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
		return take_in(a, s, u);
	case UV_OUT:
		a->value = u->data;
		return u->attr_data.reserved || u->len < s->min || u->len > s->max ? -EINVAL : 0;
	case UV_IDR:
	case UV_FD:
		return take_obj(c, a, s, u);
	case UV_RAW_FD:
		return take_raw_fd(a, u);
	case UV_IDRS:
		return take_idrs(c, a, s, u);
	}
	return -EOPNOTSUPP;
}

static int take_all(struct uv_call *c, const struct ib_uverbs_attr *u, struct ib_uverbs_attr *user,
		    unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const int rc = take(c, &u[i], &user[i]);

		if (rc)
			return rc;
	}
	for (unsigned i = 0; i < UV_MAX_ATTRS && c->method->attrs[i].kind; i++)
		if (!c->attr[i].present && !c->method->attrs[i].optional)
			return -EINVAL;
	return 0;
}

static const struct uv_method *find(uint16_t object, uint16_t method)
{
	for (const struct uv_method *const *list = uv_methods; *list; list++)
		for (const struct uv_method *m = *list; m->run; m++)
			if (m->object == object && m->method == method)
				return m;
	return NULL;
}

/* Methods whose only object is one to destroy have no body of their own. */
static int run(struct uv_call *c)
{
	if (!c->file->dev)
		return -EIO;
	if (!c->file->ready && !c->method->no_context)
		return -EINVAL;
	for (unsigned i = 0; i < UV_MAX_ATTRS && c->method->attrs[i].kind; i++) {
		if (c->method->attrs[i].access == UV_DESTROY && c->attr[i].obj) {
			const int rc = uv_obj_destroy(c->attr[i].obj);

			if (rc)
				return rc;
			c->attr[i].obj = NULL;
		}
	}
	return c->method->run(c);
}

int uv_ioctl(struct uv_file *file, int fd, void *arg)
{
	struct ib_uverbs_attr *attrs = NULL, *user = ((struct ib_uverbs_ioctl_hdr *)arg)->attrs;
	struct uv_call c = { .file = file, .dev = file->dev, .fd = fd };
	struct ib_uverbs_ioctl_hdr hdr;
	int rc;

	if (uv_copy_in(&hdr, (uintptr_t)arg, sizeof(hdr)))
		return -EFAULT;
	if (hdr.length > PAGE_BYTES || hdr.length != sizeof(hdr) + hdr.num_attrs * sizeof(*attrs))
		return -EINVAL;
	if (hdr.reserved1 || hdr.reserved2)
		return -EPROTONOSUPPORT;
	if (hdr.driver_id != RDMA_DRIVER_MLX5)
		return -EINVAL;
	c.method = find(hdr.object_id, hdr.method_id);
	if (!c.method)
		return -EPROTONOSUPPORT;

	attrs = malloc(hdr.num_attrs * sizeof(*attrs) + 1);
	if (!attrs)
		return -ENOMEM;
	rc = uv_copy_in(attrs, (uintptr_t)user, hdr.num_attrs * sizeof(*attrs));
	if (!rc)
		rc = take_all(&c, attrs, user, hdr.num_attrs);
	if (!rc)
		rc = run(&c);
	for (unsigned i = 0; i < UV_MAX_ATTRS; i++)
		free(c.attr[i].fetched);
	free(attrs);
	return rc;
}
