/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of DEVX umems, the memory of DEVX queues.
 */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/memory/page_size.h"
#include "emu/uverbs/objects/umem.h"

static int pin_memory(struct uv_call *c, struct uv_umem *u, uint64_t access)
{
	const uint64_t addr = uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, 0);
	const uint64_t bytes = uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, 0);
	const bool write = access & (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE);
	const struct uv_attr *dmabuf = uv_attr_find(c, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD);

	if (dmabuf)
		return uv_pin_dmabuf(c->dev, &u->pin, (int)dmabuf->value, addr, bytes, write);
	return uv_pin_range(c->dev, &u->pin, addr, bytes, write);
}

static int umem_reg(struct uv_call *c)
{
	/* A user without a bitmap uses no offsets into the umem, so every page size is valid. */
	const uint64_t bitmap = uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP,
						   ~(uint64_t)((1 << UV_ADAPTER_PAGE_SHIFT) - 1));
	struct uv_umem *u;
	uint64_t access, page;
	int rc = uv_attr_get_flags(c, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS,
				   IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
					   IB_UVERBS_ACCESS_REMOTE_READ |
					   IB_UVERBS_ACCESS_RELAXED_ORDERING,
				   &access);

	if (!c->file->uid || rc)
		return -EINVAL;
	if (access & IB_UVERBS_ACCESS_REMOTE_WRITE && !(access & IB_UVERBS_ACCESS_LOCAL_WRITE))
		return -EINVAL;
	u = uv_obj_alloc(c->file, &uv_type_umem, sizeof(*u));
	if (!u)
		return -ENOMEM;
	rc = pin_memory(c, u, access);
	if (!rc) {
		page = uv_choose_umem_page(u->pin.addr, u->pin.bytes, bitmap);
		rc = page ? uv_umem_make(u, page) : -EINVAL;
	}
	if (!rc)
		rc = uv_attr_write(c, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &u->id, sizeof(u->id));
	if (rc) {
		uv_obj_destroy(&u->obj);
		return rc;
	}
	return uv_attr_publish_obj(c, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, &u->obj);
}

const struct uv_method uv_methods_umem[] = {
	{ MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG, .run = umem_reg,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, UV_NEW, &uv_type_umem),
		     UV_ATTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, 8),
		     UV_ATTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, 8),
		     UV_ATTR_OPT_FLAGS(MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS),
		     { MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD, UV_RAW_FD, UV_OPTIONAL },
		     UV_ATTR_OPT_CONST(MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP),
		     UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, 4) } },
	{ MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, UV_DESTROY,
				 &uv_type_umem) } },
	{ .run = NULL },
};
