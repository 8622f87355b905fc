/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/objects/flow.h"

enum { IB_FLOW_ATTR_FLAGS_EGRESS = 1 << 2 };

bool uv_copy_match(struct uv_call *c, uint16_t id, struct prm_fte_match_param *m)
{
	size_t bytes;
	const uint8_t *p = uv_attr_get_bytes(c, id, &bytes);

	memset(m, 0, sizeof(*m));
	memcpy(m, p, bytes < sizeof(*m) ? bytes : sizeof(*m));
	return bytes <= sizeof(*m);
}

/*
 * Reads the type of flow table. Refuses the FDB, which exists only in switchdev mode.
 * Source: Linux hw/mlx5/fs.c, mlx5_ib_ft_type_to_namespace.
 */
static int read_table_type(struct uv_call *c, uint32_t *type)
{
	uint64_t flags = 0, number;
	const bool has_type = uv_attr_find(c, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE);
	const int rc = uv_attr_get_flags(c, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS,
					 IB_FLOW_ATTR_FLAGS_EGRESS, &flags);

	if (rc || (has_type && uv_attr_find(c, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS)))
		return -EINVAL;
	number = uv_attr_get_number(c, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE,
				    flags ? MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX
					  : MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX);
	*type = (uint32_t)number;
	return number > MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_TX ||
			       number == MLX5_IB_UAPI_FLOW_TABLE_TYPE_FDB
		       ? -EINVAL
		       : 0;
}

static int matcher_create(struct uv_call *c)
{
	const struct uv_attr *type = uv_attr_find(c, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE);
	struct uv_matcher *m;
	uint32_t tables;
	const int rc = read_table_type(c, &tables);

	if (rc)
		return rc;
	m = uv_obj_alloc(c->file, &uv_type_matcher, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->table_type = tables;
	m->flow_type = type->elem;
	if (m->flow_type == MLX5_IB_FLOW_TYPE_NORMAL)
		m->priority = (uint16_t)type->value;
	m->criteria_enable =
		(uint8_t)uv_attr_get_number(c, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, 0);
	m->usable = uv_copy_match(c, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, &m->mask);
	return uv_attr_publish_obj(c, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, &m->obj);
}

const struct uv_method uv_methods_matcher[] = {
	{ MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_CREATE, .run = matcher_create,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, UV_NEW, &uv_type_matcher),
		     UV_ATTR_IN_RANGE(MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, 1, UV_MATCH_BYTES),
		     { MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE, UV_ENUM,
		       .min = sizeof(((struct uv_matcher *)0)->priority),
		       .max = MLX5_IB_FLOW_TYPE_MC_DEFAULT + 1 },
		     UV_ATTR_IN(MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, 1),
		     UV_ATTR_OPT_FLAGS(MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS),
		     UV_ATTR_OPT_CONST(MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE) } },
	{ MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY, .run = uv_call_succeed,
	  .attrs = { UV_ATTR_OBJ(MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, UV_DESTROY,
				 &uv_type_matcher) } },
	{ .run = NULL },
};
