/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/objects/uar.h"
#include "prm/wqe.h"

static int write_uar(struct uv_call *c, const struct uv_uar *u)
{
	const uint64_t offset = uv_uar_get_offset(u);
	const uint32_t bytes = PRM_UAR_BYTES;
	int rc = uv_attr_write(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof(offset));

	if (!rc)
		rc = uv_attr_write(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &bytes,
				   sizeof(bytes));
	if (!rc)
		rc = uv_attr_write(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &u->page_id,
				   sizeof(u->page_id));
	return rc;
}

static int uar_alloc(struct uv_call *c)
{
	const uint64_t type = uv_attr_get_number(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, 0);
	struct uv_uar *u;
	int rc;

	if (type > UINT32_MAX)
		return -EINVAL;
	if (type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF && type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
		return -EOPNOTSUPP;
	if (type == MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF && !uv_uar_combines_writes(c->dev))
		return -EOPNOTSUPP;
	rc = uv_uar_create(c->file, c->fd, &u);
	if (rc)
		return rc;
	rc = write_uar(c, u);
	if (rc) {
		uv_obj_destroy(&u->obj);
		return rc;
	}
	return uv_attr_publish_obj(c, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, &u->obj);
}

const struct uv_method uv_methods_uar[] = {
	{ MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC, .run = uar_alloc,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, UV_NEW, &uv_type_uar),
		     UV_ATTR_CONST(MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE),
		     UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, 8),
		     UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, 4),
		     UV_ATTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, 4) } },
	{ MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, UV_DESTROY, &uv_type_uar) } },
	{ .run = NULL },
};
