/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moderation of a verbs CQ. Source: Linux drivers/infiniband/hw/mlx5/cq.c, mlx5_ib_modify_cq.
 */
#include <errno.h>
#include <string.h>

#include "emu/uverbs/base/exec.h"
#include "emu/uverbs/base/object.h"
#include "emu/uverbs/methods/cq.h"
#include "emu/uverbs/objects/cq.h"

enum { CQ_MODERATE = 1 << 0 };

int uv_write_modify_cq_ex(struct uv_write *w)
{
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	struct ib_uverbs_ex_modify_cq cmd;
	struct uv_obj *cq;

	memcpy(&cmd, w->in, sizeof(cmd));
	if (!cmd.attr_mask || cmd.reserved)
		return -EINVAL;
	if (cmd.attr_mask != CQ_MODERATE)
		return -EOPNOTSUPP;
	cq = uv_obj_find(w->call->file, cmd.cq_handle);
	if (!cq)
		return -ENOENT;
	if (cq->type != &uv_type_cq)
		return -EINVAL;
	if (!prm_get(&w->call->dev->general, cq_moderation))
		return -EOPNOTSUPP;
	if (cmd.attr.cq_period > UV_MAX_CQ_PERIOD)
		return -EINVAL;
	prm_set(&in, opcode, PRM_OP_modify_cq);
	prm_set(&in, uid, w->call->file->uid);
	prm_set(&in, cqn, uv_cq_get_number(cq));
	prm_set(prm_sub(prm_sub(&in, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select,
		PRM_MODIFY_CQ_SELECT_CQ_PERIOD | PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT);
	prm_set(cqc, cq_period, cmd.attr.cq_period);
	prm_set(cqc, cq_max_count, cmd.attr.cq_count);
	return UV_EXEC(w->call->dev, in, out);
}
