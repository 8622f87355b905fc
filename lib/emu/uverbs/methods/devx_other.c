/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DEVX commands without an object, EQ numbers and UAR numbers.
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/methods/devx.h"
#include "emu/uverbs/methods/devx_command.h"
#include "emu/uverbs/objects/devx_allowlist.h"

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
	/* mlx5_core drops all but the low 16 bits of a vector */
	const uint16_t vector =
		(uint16_t)uv_attr_get_number(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 0);
	const int eqn = uv_eq_find_number(c->dev, vector);

	if (eqn < 0)
		return eqn;
	return uv_attr_write(c, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

/* Fails for every register: GET_CONTEXT of emu hands out no doorbell registers. */
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
