/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX commands of a user: execution in firmware, and the methods that need no object.
 */
#include <errno.h>
#include <stdlib.h>

#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/methods/methods.h"
#include "emu/uverbs/objects/devx.h"

/*
 * Returns the uid for a command. A context without a uid of its own may only query capabilities,
 * under a uid that such contexts share.
 */
static int choose_uid(const struct uv_call *c, const struct prm_general_obj_in_cmd_hdr *in)
{
	const uint64_t opcode = prm_get(in, opcode);

	if (c->file->uid)
		return c->file->uid;
	if (opcode != PRM_OP_query_hca_cap && opcode != PRM_OP_query_esw_functions &&
	    opcode != PRM_OP_query_esw_vport_context && opcode != PRM_OP_query_hca_vport_context)
		return -EINVAL;
	return c->dev->whitelist_uid ? c->dev->whitelist_uid : -EOPNOTSUPP;
}

int uv_devx_sign(struct uv_call *c, struct prm_general_obj_in_cmd_hdr *in, bool is_object)
{
	const int uid = choose_uid(c, in);

	if (is_object && prm_get(in, vhca_tunnel_id))
		return -EINVAL;
	if (uid < 0)
		return uid;
	prm_set(in, uid, (unsigned)uid);
	return 0;
}

int uv_devx_execute(struct uv_call *c, const void *in, size_t in_bytes, uint16_t out_id, void **out)
{
	const size_t out_bytes = uv_attr_find(c, out_id)->bytes;

	*out = calloc(1, out_bytes);
	return *out ? uv_exec_user(c->dev, in, in_bytes, *out, out_bytes) : -ENOMEM;
}

int uv_devx_answer(struct uv_call *c, uint16_t out_id, int rc, void *out)
{
	if (!rc || rc == -EREMOTEIO) {
		const int rc_copy = uv_attr_write(c, out_id, out, uv_attr_find(c, out_id)->bytes);

		if (rc_copy)
			rc = rc_copy;
	}
	free(out);
	return rc;
}

static int run_devx_other(struct uv_call *c)
{
	size_t in_bytes;
	void *in = uv_attr_get_bytes(c, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, &in_bytes), *out = NULL;
	int rc = uv_devx_sign(c, in, false);

	if (rc)
		return rc;
	if (!uv_devx_may_general(in))
		return -EINVAL;
	rc = uv_devx_execute(c, in, in_bytes, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, &out);
	return uv_devx_answer(c, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, rc, out);
}

static int devx_query_eqn(struct uv_call *c)
{
	/* mlx5_core keeps only the low 16 bits of a vector */
	const uint16_t vector =
		(uint16_t)uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 0);
	const int eqn = uv_eq_find_number(c->dev, vector);

	if (eqn < 0)
		return eqn;
	return uv_attr_write(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

/* GET_CONTEXT of emu assigns no doorbell registers, so no index is valid. */
static int devx_query_uar(struct uv_call *c)
{
	(void)c;
	return -EINVAL;
}

const struct uv_method uv_methods_devx_other[] = {
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, .run = run_devx_other,
	  .attrs = { UV_CMD_IN(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN),
		     UV_CMD_OUT(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT) } },
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_UAR, .run = devx_query_uar,
	  .attrs = { UV_ATTR_IN(MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX, 4),
		     UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX, 4) } },
	{ MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN, .run = devx_query_eqn,
	  .attrs = { UV_ATTR_IN(MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 4),
		     UV_ATTR_OUT(MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, 4) } },
	{ .run = NULL },
};
