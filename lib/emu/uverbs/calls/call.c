/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/calls/call.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdlib.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/base/user_memory.h"

enum { PAGE_BYTES = 4096 };

const struct uv_method *uv_call_find_method(const struct uv_method *const *list, uint16_t object,
					    uint16_t method)
{
	for (; *list; list++)
		for (const struct uv_method *m = *list; m->run; m++)
			if (m->object == object && m->method == method)
				return m;
	return NULL;
}

/*
 * Without a device, methods of mlx5_ib fail before their attributes are read. Methods of the core
 * read their attributes first, and find no objects.
 * Source: Linux drivers/infiniband/core/uverbs_uapi.c, uverbs_disassociate_api.
 */
static bool is_of_driver(const struct uv_method *m)
{
	return (m->object | m->method) & UVERBS_ID_NS_MASK;
}

/* First destroys the objects of UV_DESTROY attributes, then runs the method. */
static int run_method(struct uv_call *c)
{
	if (!c->file->dev)
		return -EIO; /* the device is lost, or the process is exiting */
	if (!c->file->ready && !c->method->no_context)
		return -EINVAL;
	for (unsigned i = 0; c->method->attrs[i].kind; i++) {
		if (c->method->attrs[i].access == UV_DESTROY && c->attr[i].obj) {
			const int rc = uv_obj_destroy(c->attr[i].obj);

			if (rc)
				return rc;
			c->attr[i].obj = NULL;
		}
	}
	return c->method->run(c);
}

int uv_call_serve(const struct uv_method *const *methods, struct uv_file *file, int fd, void *arg)
{
	struct ib_uverbs_attr *attrs = NULL, *user = ((struct ib_uverbs_ioctl_hdr *)arg)->attrs;
	struct uv_call c = { .file = file, .dev = file->dev, .fd = fd };
	struct ib_uverbs_ioctl_hdr hdr;
	int rc;

	if (uv_copy_from_user(&hdr, (uintptr_t)arg, sizeof(hdr)))
		return -EFAULT;
	if (hdr.length > PAGE_BYTES || hdr.length != sizeof(hdr) + hdr.num_attrs * sizeof(*attrs))
		return -EINVAL;
	if (hdr.reserved1 || hdr.reserved2)
		return -EPROTONOSUPPORT;
	if (hdr.driver_id != RDMA_DRIVER_MLX5)
		return -EINVAL;
	c.method = uv_call_find_method(methods, hdr.object_id, hdr.method_id);
	if (!c.method)
		return -EPROTONOSUPPORT;
	if (!file->dev && is_of_driver(c.method))
		return -EIO;

	attrs = malloc(hdr.num_attrs * sizeof(*attrs) + 1);
	if (!attrs)
		return -ENOMEM;
	rc = uv_copy_from_user(attrs, (uintptr_t)user, hdr.num_attrs * sizeof(*attrs));
	if (!rc)
		rc = uv_call_parse(&c, attrs, user, hdr.num_attrs);
	if (!rc)
		rc = run_method(&c);
	uv_call_release(&c);
	free(attrs);
	return rc;
}

int uv_call_succeed(struct uv_call *c)
{
	(void)c;
	return 0;
}
