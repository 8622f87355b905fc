/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Protection domains.
 */
#include <errno.h>

#include "emu/uverbs/methods/methods.h"

static int pd_free(struct uv_obj *obj)
{
	const struct uv_pd *pd = (struct uv_pd *)obj;
	struct prm_dealloc_pd_in in = {0};
	struct prm_dealloc_pd_out out = {0};

	prm_set(&in, opcode, PRM_OP_dealloc_pd);
	prm_set(&in, uid, obj->file->uid);
	prm_set(&in, pd, pd->pdn);
	return UV_EXEC(obj->file->dev, in, out);
}

const struct uv_type uv_type_pd = { "PD", pd_free };

/* The uid of the context goes along, so that DEVX objects may use the domain. */
int uv_write_alloc_pd(struct uv_write *w)
{
	struct uv_call *c = w->call;
	struct prm_alloc_pd_in in = {0};
	struct prm_alloc_pd_out out = {0};
	struct ib_uverbs_alloc_pd_resp resp = {0};
	struct mlx5_ib_alloc_pd_resp uhw;
	struct uv_pd *pd;
	int rc;

	if (!c->file->ready)
		return -EINVAL;
	pd = uv_obj_new(c->file, &uv_type_pd, sizeof(*pd));
	if (!pd)
		return -ENOMEM;
	prm_set(&in, opcode, PRM_OP_alloc_pd);
	prm_set(&in, uid, c->file->uid);
	rc = UV_EXEC(c->dev, in, out);
	if (rc) {
		uv_obj_drop(&pd->obj);
		return rc;
	}
	pd->pdn = uhw.pdn = (uint32_t)prm_get(&out, pd);
	rc = uv_obj_add(&pd->obj);
	if (!rc) {
		resp.pd_handle = pd->obj.handle;
		rc = uv_out(c, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	}
	if (!rc)
		rc = uv_out(c, UVERBS_ATTR_UHW_OUT, &uhw, sizeof(uhw));
	if (rc == -ENOENT) /* there is no room for it; Linux 7.2 would not mind */
		rc = -EFAULT;
	if (rc)
		uv_obj_destroy(&pd->obj);
	return rc;
}

static int query_pd(struct uv_call *c)
{
	const struct uv_pd *pd = uv_obj(c, MLX5_IB_ATTR_QUERY_PD_HANDLE);

	return uv_out(c, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pd->pdn, sizeof(pd->pdn));
}

const struct uv_method uv_methods_pd[] = {
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, .run = uv_done, .attrs = {
		UV_ATTR_OBJ(UVERBS_ATTR_DESTROY_PD_HANDLE, UV_DESTROY, &uv_type_pd) } },
	{ UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY, .run = query_pd, .attrs = {
		UV_ATTR_OBJ(MLX5_IB_ATTR_QUERY_PD_HANDLE, UV_READ, &uv_type_pd),
		UV_ATTR_OUT(MLX5_IB_ATTR_QUERY_PD_RESP_PDN, 4) } },
	{ .run = NULL },
};
