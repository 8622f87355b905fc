/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An ioctl as a message: the process that owns the adapter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/remote/marshal.h"

enum { NO_ADDRESS = 8 }; /* uv_copy_from_user() fails for it, as it did in the caller */

/*
 * Builds the attribute for the method, with an address or a descriptor of this process. Refuses an
 * address of the other process, and replaces a descriptor of it by -1.
 */
static int unpack_attr(const struct uv_method *method, const struct uv_rpc *m,
		       const struct uv_packed_attr *p, struct ib_uverbs_attr *a)
{
	const enum uv_place wanted = uv_find_place(method, &p->attr);

	*a = p->attr;
	switch ((enum uv_place)p->place) {
	case UV_IN_VALUE:
		if (wanted == UV_IN_FDS && a->data_s64 == (int)a->data_s64)
			a->data_s64 = -1;
		return wanted == UV_IN_BYTES ? -EINVAL : 0;
	case UV_IN_BYTES:
		if (wanted != UV_IN_BYTES || p->at > m->bytes || p->attr.len > m->bytes - p->at)
			return -EINVAL;
		a->data = (uintptr_t)m->body + p->at;
		return 0;
	case UV_IN_FDS:
		if (wanted != UV_IN_FDS || p->at >= m->n_fds)
			return -EINVAL;
		a->data_s64 = m->fd[p->at];
		return 0;
	case UV_NOWHERE:
		a->data = NO_ADDRESS;
		return wanted == UV_IN_BYTES ? 0 : -EINVAL;
	}
	return -EINVAL;
}

int uv_run_packed(struct uv_file *file, struct uv_rpc *m)
{
	struct uv_packed_attr *packed;
	struct ib_uverbs_ioctl_hdr *hdr = m->body;
	struct ib_uverbs_ioctl_hdr *call;
	const struct uv_method *method;
	unsigned n;
	int rc = 0;

	if (m->bytes < sizeof(*hdr) || m->bytes - sizeof(*hdr) < hdr->num_attrs * sizeof(*packed))
		return -EINVAL;
	n = hdr->num_attrs;
	packed = (struct uv_packed_attr *)(hdr + 1);
	call = malloc(sizeof(*call) + n * sizeof(call->attrs[0]));
	if (!call)
		return -ENOMEM;
	*call = *hdr;
	method = uv_find_method(hdr->object_id, hdr->method_id);
	for (unsigned i = 0; !rc && i < n; i++)
		rc = unpack_attr(method, m, &packed[i], &call->attrs[i]);
	if (!rc) {
		rc = uv_serve_ioctl(file, m->fd[0], call);
		/* the method wrote flags of outputs and handles of objects */
		for (unsigned i = 0; i < n; i++) {
			packed[i].attr.flags = call->attrs[i].flags;
			if (packed[i].place == UV_IN_VALUE)
				packed[i].attr.data = call->attrs[i].data;
		}
	}
	free(call);
	return rc;
}
