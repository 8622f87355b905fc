/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/objects/devx.h"

enum { COUNTERS_PER_BULK_BIT = 128 };

/* Returns -ENOENT if the number is not that of a completion EQ, as mlx5_core before CREATE_CQ. */
static int check_cq_eqn(const struct uv_call *c, const void *in, size_t bytes)
{
	const struct prm_create_cq_in *cq = in;

	if (bytes < sizeof(*cq))
		return 0;
	const uint64_t eqn = prm_get(prm_sub(cq, cq_context), c_eqn_or_apu_element);

	return uv_has_comp_eq(c->dev, (uint32_t)eqn) ? 0 : -ENOENT;
}

static int check_create(struct uv_call *c, void *in, size_t bytes)
{
	const uint64_t opcode = prm_get((struct prm_general_obj_in_cmd_hdr *)in, opcode);
	const size_t mkey_min = sizeof(struct prm_general_obj_in_cmd_hdr) + sizeof(struct prm_mkc);

	if (!uv_devx_may_create(in))
		return -EINVAL;
	if (opcode == PRM_OP_create_mkey && bytes < mkey_min)
		return -EINVAL;
	return opcode == PRM_OP_create_cq ? check_cq_eqn(c, in, bytes) : 0;
}

static int devx_create(struct uv_call *c)
{
	const uint16_t out_id = MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT;
	size_t in_bytes;
	struct prm_general_obj_in_cmd_hdr *in =
		uv_attr_get_bytes(c, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN, &in_bytes);
	void *out = NULL;
	struct uv_devx *o;
	int rc = uv_devx_sign(c, in, true);

	if (!rc)
		rc = check_create(c, in, in_bytes);
	if (rc)
		return rc;
	o = uv_obj_alloc(c->file, &uv_type_devx, sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->created_by = (uint16_t)prm_get(in, opcode);
	uv_devx_force_umem(in, in_bytes);
	rc = uv_devx_execute(c, in, in_bytes, out_id, &out);
	if (!rc) {
		uv_devx_plan_destroy(o, in, out);
		if (o->created_by == PRM_OP_alloc_flow_counter)
			o->bulk = COUNTERS_PER_BULK_BIT *
				  (uint32_t)prm_get((const struct prm_alloc_flow_counter_in *)in,
						    flow_counter_bulk);
	}
	rc = uv_devx_answer(c, out_id, rc, out);
	if (rc) {
		uv_obj_destroy(&o->obj);
		return rc;
	}
	return uv_attr_publish_obj(c, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, &o->obj);
}

static int modify_or_query(struct uv_call *c, uint16_t handle_id, uint16_t in_id, uint16_t out_id,
			   bool modify)
{
	size_t in_bytes;
	void *in = uv_attr_get_bytes(c, in_id, &in_bytes), *out = NULL;
	int rc = uv_devx_sign(c, in, true);

	if (!rc)
		rc = uv_devx_check_subject(in, in_bytes, modify, uv_attr_get_obj(c, handle_id));
	if (rc)
		return rc;
	if (modify)
		uv_devx_force_umem(in, in_bytes);
	rc = uv_devx_execute(c, in, in_bytes, out_id, &out);
	return uv_devx_answer(c, out_id, rc, out);
}

static int devx_modify(struct uv_call *c)
{
	return modify_or_query(c, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE,
			       MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
			       MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT, true);
}

static int devx_query(struct uv_call *c)
{
	return modify_or_query(c, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE,
			       MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
			       MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT, false);
}

const struct uv_method uv_methods_devx[] = {
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, .run = devx_create,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, UV_NEW, &uv_type_devx),
		     UV_CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN),
		     UV_CMD_OUT(MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, UV_DESTROY,
				 &uv_type_devx) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY, .run = devx_modify,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE, UV_READ, NULL),
		     UV_CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN),
		     UV_CMD_OUT(MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT) } },
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY, .run = devx_query,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE, UV_READ, NULL),
		     UV_CMD_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN),
		     UV_CMD_OUT(MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT) } },
	{ .run = NULL },
};
