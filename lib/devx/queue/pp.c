/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/pp.h"
#include "prm/prm.h"

static int validate_pp_attr(struct devx_dev *dev, const struct devx_pp_attr *attr)
{
	const struct devx_caps *caps = &dev->caps;
	const char *lacks = NULL;

	if (!caps->packet_pacing)
		lacks = "packet_pacing";
	else if (!caps->packet_pacing_uid)
		lacks = "packet_pacing_uid";
	else if (attr->burst_bytes && !caps->packet_pacing_burst_bound)
		lacks = "packet_pacing_burst_bound";
	else if (attr->typical_bytes && !caps->packet_pacing_typical_size)
		lacks = "packet_pacing_typical_size";
	if (lacks)
		return devx_fail(dev, -ENOTSUP, "rate limit: unsupported (capability %s is 0)",
				 lacks);
	if (!attr->kbps || attr->kbps < caps->packet_pacing_min_rate ||
	    attr->kbps > caps->packet_pacing_max_rate)
		return devx_fail(
			dev, -EINVAL, "rate limit: %u kbit/s is invalid (valid: %u to %u kbit/s)",
			attr->kbps, caps->packet_pacing_min_rate ? caps->packet_pacing_min_rate : 1,
			caps->packet_pacing_max_rate);
	return 0;
}

static int fail_alloc(struct devx_dev *dev, int err, const struct devx_pp_attr *attr)
{
	if (err == EPROTONOSUPPORT || err == EOPNOTSUPP)
		return devx_fail(dev, -ENOTSUP,
				 "rate limit: the kernel does not support it (needs Linux 5.7)");
	if (err == ENOSPC)
		return devx_fail(dev, -ENOSPC,
				 "rate limit: all %u entries of the device are used; free one, or "
				 "use a limit that is not dedicated",
				 dev->caps.packet_pacing_rate_table_size - 1);
	return devx_fail_sys(dev, err, "rate limit: cannot set %u kbit/s", attr->kbps);
}

int devx_pp_create(struct devx_pp *pp, struct devx_dev *dev, const struct devx_pp_attr *attr)
{
	struct prm_set_pp_rate_limit_context ctx = { 0 };
	int rc = validate_pp_attr(dev, attr);

	if (rc)
		return rc;
	prm_set(&ctx, rate_limit, attr->kbps);
	prm_set(&ctx, burst_upper_bound, attr->burst_bytes);
	prm_set(&ctx, typical_packet_size, attr->typical_bytes);
	errno = 0;
	pp->pp = mlx5dv_pp_alloc(dev->ctx, sizeof(ctx), &ctx,
				 attr->dedicated ? MLX5DV_PP_ALLOC_FLAGS_DEDICATED_INDEX : 0);
	if (!pp->pp)
		return fail_alloc(dev, errno ? errno : ENOMEM, attr);
	pp->dev = dev;
	pp->index = pp->pp->index;
	return 0;
}

void devx_pp_destroy(struct devx_pp *pp)
{
	if (pp->pp)
		mlx5dv_pp_free(pp->pp);
	*pp = (struct devx_pp){ 0 };
}

int devx_sq_set_pp(struct devx_sq *sq, const struct devx_pp *pp)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out = { 0 };
	struct prm_sqc *sqc = prm_sub(&in, ctx);

	if (pp && !pp->pp)
		return devx_fail(sq->dev, -EINVAL,
				 "SQ: no rate limit; pass one that devx_pp_create() made, or NULL");
	prm_set(&in, opcode, PRM_OP_modify_sq);
	prm_set(&in, sqn, sq->sqn);
	prm_set(&in, sq_state, PRM_WQ_STATE_RDY);
	prm_set(&in, modify_bitmask, PRM_MODIFY_SQ_BITMASK_RATE_LIMIT);
	prm_set(sqc, state, PRM_WQ_STATE_RDY);
	prm_set(sqc, packet_pacing_rate_limit_index, pp ? pp->index : 0);
	return devx_cmd_modify(sq->dev, sq->obj, &in, sizeof(in), &out, sizeof(out));
}
