/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/objects/pd.h"

int uv_write_alloc_pd(struct uv_write *w)
{
	struct uv_call *c = w->call;
	struct ib_uverbs_alloc_pd_resp resp = { 0 };
	struct mlx5_ib_alloc_pd_resp uhw;
	struct uv_pd *pd;
	int rc;

	if (!c->file->ready)
		return -EINVAL;
	rc = uv_pd_create(c->file, &pd);
	if (rc)
		return rc;
	uhw.pdn = pd->pdn;
	rc = uv_obj_add(&pd->obj);
	if (!rc) {
		resp.pd_handle = pd->obj.handle;
		rc = uv_attr_write(c, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	}
	if (!rc)
		rc = uv_attr_write(c, UVERBS_ATTR_UHW_OUT, &uhw, sizeof(uhw));
	if (rc == -ENOENT) /* the user passed no UHW_OUT; Linux 7.2 would accept this */
		rc = -EFAULT;
	if (rc)
		uv_obj_destroy(&pd->obj);
	return rc;
}

static int query_pd(struct uv_call *c)
{
	const struct uv_pd *pd = uv_attr_get_obj(c, MLX5_IB_ATTR_QUERY_PD_HANDLE);

	return uv_attr_write(c, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pd->pdn, sizeof(pd->pdn));
}

const struct uv_method uv_methods_pd[] = {
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_PD_HANDLE, UV_DESTROY, &uv_type_pd) } },
	{ UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY, .run = query_pd,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_QUERY_PD_HANDLE, UV_READ, &uv_type_pd),
		     UV_ATTR_OUT(MLX5_IB_ATTR_QUERY_PD_RESP_PDN, 4) } },
	{ .run = NULL },
};
