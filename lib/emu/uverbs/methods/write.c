/* SPDX-License-Identifier: BSD-3-Clause
 *
 * INVOKE_WRITE: the commands of the write() interface, wrapped in an ioctl.
 */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_verbs.h>

#include "emu/uverbs/calls/attr.h"

static const struct write_cmd {
	uint32_t number;
	bool ex;
	uint16_t in_bytes, out_bytes; /* minimum lengths; out 0: the command has no reply */
	int (*run)(struct uv_write *w);
} cmds[] = {
	{ IB_USER_VERBS_CMD_GET_CONTEXT, false, sizeof(struct ib_uverbs_get_context),
	  sizeof(struct ib_uverbs_get_context_resp), uv_write_get_context },
	{ IB_USER_VERBS_CMD_QUERY_DEVICE, false, sizeof(struct ib_uverbs_query_device),
	  sizeof(struct ib_uverbs_query_device_resp), uv_write_query_device },
	{ IB_USER_VERBS_EX_CMD_QUERY_DEVICE, true, sizeof(struct ib_uverbs_ex_query_device),
	  sizeof(struct ib_uverbs_query_device_resp), uv_write_query_device_ex },
	{ IB_USER_VERBS_CMD_ALLOC_PD, false, sizeof(struct ib_uverbs_alloc_pd),
	  sizeof(struct ib_uverbs_alloc_pd_resp), uv_write_alloc_pd },
	{ IB_USER_VERBS_CMD_REG_MR, false, sizeof(struct ib_uverbs_reg_mr),
	  sizeof(struct ib_uverbs_reg_mr_resp), uv_write_reg_mr },
	{ IB_USER_VERBS_CMD_REREG_MR, false, sizeof(struct ib_uverbs_rereg_mr),
	  sizeof(struct ib_uverbs_rereg_mr_resp), uv_write_rereg_mr },
	{ IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, false,
	  sizeof(struct ib_uverbs_create_comp_channel),
	  sizeof(struct ib_uverbs_create_comp_channel_resp), uv_write_create_comp_channel },
	{ IB_USER_VERBS_EX_CMD_MODIFY_CQ, true, sizeof(struct ib_uverbs_ex_modify_cq), 0,
	  uv_write_modify_cq_ex },
};

static int invoke_write(struct uv_call *c)
{
	const uint64_t number = uv_attr_get_number(c, UVERBS_ATTR_WRITE_CMD, 0);
	const bool ex = number & IB_USER_VERBS_CMD_FLAG_EXTENDED;
	const struct uv_attr *out = uv_attr_find(c, UVERBS_ATTR_CORE_OUT);
	struct uv_write w = { .call = c };

	if (number & ~(uint64_t)(IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_CMD_COMMAND_MASK))
		return -EINVAL;
	w.in = uv_attr_get_bytes(c, UVERBS_ATTR_CORE_IN, &w.in_bytes);
	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		const struct write_cmd *cmd = &cmds[i];

		if (cmd->number != (number & IB_USER_VERBS_CMD_COMMAND_MASK) || cmd->ex != ex)
			continue;
		if (w.in_bytes < cmd->in_bytes || (out ? out->bytes : 0) < cmd->out_bytes)
			return -ENOSPC;
		return cmd->run(&w);
	}
	/* QPs, SRQs, WQs, address handles, ibv_create_flow: as a driver that does not have them. */
	return -EOPNOTSUPP;
}

const struct uv_method uv_methods_write[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, .run = invoke_write, .no_context = true,
	  .attrs = { { UVERBS_ATTR_CORE_IN, UV_IN, .min = 4, .max = UV_ANY_LENGTH, UV_OPTIONAL },
		     { UVERBS_ATTR_CORE_OUT, UV_OUT, .min = 0, .max = UV_ANY_LENGTH, UV_OPTIONAL },
		     UV_ATTR_CONST(UVERBS_ATTR_WRITE_CMD),
		     UV_ATTR_UHW } },
	{ .run = NULL },
};
