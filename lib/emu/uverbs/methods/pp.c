/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of rate limits for packet pacing.
 */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/objects/pp.h"

static int pp_alloc(struct uv_call *c)
{
	struct prm_set_pp_rate_limit_context ctx = { 0 };
	uint64_t flags;
	struct uv_pp *pp;
	size_t bytes;
	const void *in = uv_attr_get_bytes(c, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX, &bytes);
	uint16_t index;
	int rc;

	if (!c->file->uid)
		return -EINVAL;
	memcpy(&ctx, in, bytes);
	rc = uv_attr_get_flags(c, MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS,
			       MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX, &flags);
	if (!rc)
		rc = uv_pp_create(c->file, &ctx, flags, &pp);
	if (rc)
		return rc;
	index = pp->index;
	rc = uv_attr_publish_obj(c, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, &pp->obj);
	/* As in Linux, the object survives if its index cannot be written. */
	return rc ? rc : uv_attr_write(c, MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, &index, sizeof(index));
}

const struct uv_method uv_methods_pp[] = {
	{ MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_ALLOC, .run = pp_alloc,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, UV_NEW, &uv_type_pp),
		     UV_ATTR_IN_RANGE(MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX, 1,
				      sizeof(struct prm_set_pp_rate_limit_context)),
		     UV_ATTR_FLAGS(MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS),
		     UV_ATTR_OUT(MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, 2) } },
	{ MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE, UV_DESTROY, &uv_type_pp) } },
	{ .run = NULL },
};
