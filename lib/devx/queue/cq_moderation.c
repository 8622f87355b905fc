/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/cq.h"
#include "prm/prm.h"

static int validate_moderation(struct devx_dev *dev, const struct devx_cq_moderation *m)
{
	if (!dev->caps.cq_moderation)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: moderation is unsupported (capability cq_moderation is 0)");
	if (m->period_us > DEVX_CQ_PERIOD_US_MAX)
		return devx_fail(dev, -EINVAL,
				 "CQ: a period of %u us is invalid (valid: 0 to %u us)",
				 m->period_us, DEVX_CQ_PERIOD_US_MAX);
	if (m->from_cqe && !dev->caps.cq_period_start_from_cqe)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: from_cqe is unsupported (capability "
				 "cq_period_start_from_cqe is 0)");
	if (m->from_cqe && !dev->caps.cq_period_mode_modify)
		return devx_fail(dev, -ENOTSUP,
				 "CQ: from_cqe is unsupported (capability cq_period_mode_modify "
				 "is 0)");
	return 0;
}

int devx_cq_moderate(struct devx_cq *cq, const struct devx_cq_moderation *m)
{
	struct prm_modify_cq_in in = { 0 };
	struct prm_modify_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	uint32_t select = PRM_MODIFY_CQ_SELECT_CQ_PERIOD | PRM_MODIFY_CQ_SELECT_CQ_MAX_COUNT;
	const int rc = validate_moderation(cq->dev, m);

	if (rc)
		return rc;
	if (cq->dev->caps.cq_period_mode_modify)
		select |= PRM_MODIFY_CQ_SELECT_CQ_PERIOD_MODE;
	prm_set(&in, opcode, PRM_OP_modify_cq);
	prm_set(&in, cqn, cq->cqn);
	prm_set(prm_sub(prm_sub(&in, modify_field_select_resize_field_select), modify_field_select),
		modify_field_select, select);
	prm_set(cqc, cq_period, m->period_us);
	prm_set(cqc, cq_max_count, m->max_count);
	prm_set(cqc, cq_period_mode,
		m->from_cqe ? PRM_CQC_CQ_PERIOD_MODE_START_FROM_CQE
			    : PRM_CQC_CQ_PERIOD_MODE_START_FROM_EQE);
	return devx_cmd_modify(cq->dev, cq->obj, &in, sizeof(in), &out, sizeof(out));
}
