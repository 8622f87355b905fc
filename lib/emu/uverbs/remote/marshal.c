/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An ioctl as a message: the calling process.
 */
#include "emu/uverbs/remote/marshal.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/base/user_memory.h"
#include "emu/uverbs/methods/methods.h"

enum { INLINE_BYTES = 8, HEADER_MAX = 4096 };

static const struct uv_spec *find_spec(const struct uv_method *method, uint16_t id)
{
	const struct uv_spec *s = method ? method->attrs : NULL;

	for (unsigned i = 0; s && s[i].kind; i++)
		if (s[i].id == id)
			return &s[i];
	return NULL;
}

static bool is_fd(const struct uv_spec *s)
{
	return s->is_fd || s->kind == UV_RAW_FD || (s->kind == UV_FD && s->access != UV_NEW);
}

/* Replaces a number that is not an open descriptor by -1, since the owner may have opened it. */
static void pack_fd(struct uv_rpc *m, struct uv_packed_attr *p)
{
	const int fd = (int)p->attr.data_s64;

	if (p->attr.data_s64 != fd)
		return;
	if (fcntl(fd, F_GETFD) < 0 || m->n_fds == UV_RPC_MAX_FDS) {
		p->attr.data_s64 = -1;
		return;
	}
	p->place = UV_IN_FDS;
	p->at = m->n_fds;
	m->fd[m->n_fds++] = fd;
}

static bool is_address(const struct uv_spec *s, const struct ib_uverbs_attr *a)
{
	switch ((enum uv_kind)s->kind) {
	case UV_IN:
	case UV_ENUM:
	case UV_IDRS:
		return a->len > INLINE_BYTES;
	case UV_OUT:
		return a->len;
	default:
		return false;
	}
}

/* Appends the bytes of an attribute to the body, at a multiple of 8. The body has room for them. */
static void pack_bytes(struct uv_rpc *m, struct uv_packed_attr *p)
{
	const uint32_t at = (m->bytes + INLINE_BYTES - 1) & ~(uint32_t)(INLINE_BYTES - 1);

	if (uv_copy_from_user((char *)m->body + at, p->attr.data, p->attr.len)) {
		p->place = UV_NOWHERE;
		return;
	}
	p->place = UV_IN_BYTES;
	p->at = at;
	m->bytes = at + p->attr.len;
}

enum uv_place uv_find_place(const struct uv_method *method, const struct ib_uverbs_attr *a)
{
	const struct uv_spec *s = find_spec(method, a->attr_id);

	if (s && is_fd(s))
		return UV_IN_FDS;
	return s && is_address(s, a) ? UV_IN_BYTES : UV_IN_VALUE;
}

static void pack_attr(const struct uv_method *method, struct uv_rpc *m, struct uv_packed_attr *p)
{
	const enum uv_place place = uv_find_place(method, &p->attr);

	p->place = UV_IN_VALUE;
	if (place == UV_IN_FDS)
		pack_fd(m, p);
	else if (place == UV_IN_BYTES)
		pack_bytes(m, p);
}

static uint32_t get_room(const struct ib_uverbs_attr *attrs, unsigned n)
{
	uint32_t room =
		(uint32_t)(sizeof(struct ib_uverbs_ioctl_hdr) + n * sizeof(struct uv_packed_attr));

	for (unsigned i = 0; i < n; i++)
		room += attrs[i].len + INLINE_BYTES;
	return room;
}

static int pack_attrs(const struct ib_uverbs_ioctl_hdr *hdr, const struct ib_uverbs_attr *attrs,
		      struct uv_rpc *m)
{
	const struct uv_method *method = uv_find_method(hdr->object_id, hdr->method_id);
	const uint32_t room = get_room(attrs, hdr->num_attrs);
	struct uv_packed_attr *packed;

	if (room > UV_RPC_MAX_BYTES)
		return -EINVAL; /* possible only with duplicate attributes, which are invalid */
	m->body = calloc(1, room);
	if (!m->body)
		return -ENOMEM;
	memcpy(m->body, hdr, sizeof(*hdr));
	packed = (struct uv_packed_attr *)((char *)m->body + sizeof(*hdr));
	m->bytes = (uint32_t)(sizeof(*hdr) + hdr->num_attrs * sizeof(*packed));
	for (unsigned i = 0; i < hdr->num_attrs; i++) {
		packed[i].attr = attrs[i];
		pack_attr(method, m, &packed[i]);
	}
	return 0;
}

int uv_pack_ioctl(int fd, const void *user, struct uv_rpc *m)
{
	struct ib_uverbs_attr attrs[HEADER_MAX / sizeof(struct ib_uverbs_attr)];
	struct ib_uverbs_ioctl_hdr hdr;

	if (uv_copy_from_user(&hdr, (uintptr_t)user, sizeof(hdr)))
		return -EFAULT;
	if (hdr.length > HEADER_MAX || hdr.length != sizeof(hdr) + hdr.num_attrs * sizeof(attrs[0]))
		return -EINVAL;
	if (uv_copy_from_user(attrs, (uintptr_t)user + sizeof(hdr),
			      hdr.num_attrs * sizeof(attrs[0])))
		return -EFAULT;
	m->kind = UV_RPC_IOCTL;
	m->fd[m->n_fds++] = fd;
	return pack_attrs(&hdr, attrs, m);
}

/* Writes the new descriptor to the attribute, or to the output in the body, that reports it. */
static void put_new_fd(const struct uv_spec *s, struct uv_packed_attr *p, char *body, int fd)
{
	const uint32_t number = (uint32_t)fd;

	if (s->kind == UV_FD && s->access == UV_NEW)
		p->attr.data_s64 = fd;
	else if (s->id == UVERBS_ATTR_CORE_OUT && p->place == UV_IN_BYTES)
		memcpy(body + p->at, &number,
		       sizeof(number)); /* first field of both write() replies */
}

static int write_attr(struct ib_uverbs_attr *user, const struct uv_packed_attr *p, const char *body,
		      const struct uv_spec *s)
{
	if (s->kind == UV_OUT && p->place == UV_IN_BYTES) {
		if (uv_copy_to_user(p->attr.data, body + p->at, p->attr.len))
			return -EFAULT;
		return uv_copy_to_user((uintptr_t)&user->flags, &p->attr.flags,
				       sizeof(user->flags));
	}
	if ((s->kind == UV_IDR || s->kind == UV_FD) && s->access == UV_NEW)
		return uv_copy_to_user((uintptr_t)&user->data, &p->attr.data, sizeof(user->data));
	return 0;
}

/* Combines the owner's results with the addresses and lengths that this process sent. */
static struct uv_packed_attr merge_attr(const struct uv_packed_attr *sent,
					const struct uv_packed_attr *answer)
{
	struct uv_packed_attr p = *sent;

	p.attr.flags = answer->attr.flags;
	if (p.place == UV_IN_VALUE)
		p.attr.data = answer->attr.data;
	return p;
}

int uv_unpack_answer(void *user, const struct uv_rpc *sent, const struct uv_rpc *answer, int new_fd)
{
	struct ib_uverbs_attr *attrs = ((struct ib_uverbs_ioctl_hdr *)user)->attrs;
	struct ib_uverbs_ioctl_hdr hdr;
	const struct uv_method *method;
	const struct uv_packed_attr *asked, *answered;
	int rc = 0;

	if (answer->bytes != sent->bytes)
		return -EIO;
	memcpy(&hdr, sent->body, sizeof(hdr));
	method = uv_find_method(hdr.object_id, hdr.method_id);
	asked = (const struct uv_packed_attr *)((const char *)sent->body + sizeof(hdr));
	answered = (const struct uv_packed_attr *)((const char *)answer->body + sizeof(hdr));
	for (unsigned i = 0; !rc && i < hdr.num_attrs; i++) {
		const struct uv_spec *s = find_spec(method, asked[i].attr.attr_id);
		struct uv_packed_attr p = merge_attr(&asked[i], &answered[i]);

		if (!s)
			continue;
		if (new_fd >= 0)
			put_new_fd(s, &p, answer->body, new_fd);
		rc = write_attr(&attrs[i], &p, answer->body, s);
	}
	return rc;
}
