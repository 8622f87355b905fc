/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/rqt.h"
#include "prm/prm.h"

static int validate_rq_numbers(struct devx_dev *dev, const uint32_t *rqns, uint32_t n, uint32_t max)
{
	if (!rqns)
		return devx_fail(dev, -EINVAL, "RQT: the list of RQ numbers is NULL");
	if (!n || n > max || (n & (n - 1)))
		return devx_fail(dev, -EINVAL,
				 "RQT: %u entries are invalid (valid: a power of two, at most %u)",
				 n, max);
	return 0;
}

static void fill_rqt_context(struct prm_rqtc *rqtc, const uint32_t *rqns, uint32_t n, uint32_t max)
{
	prm_set(rqtc, rqt_max_size, max);
	prm_set(rqtc, rqt_actual_size, n);
	for (uint32_t i = 0; i < n; i++)
		prm_set(prm_sub_at(rqtc, rq_num, i), rq_num, rqns[i]);
}

static int validate_n_max(struct devx_dev *dev, uint32_t n_max)
{
	enum { LOG2_MAX = 15 }; /* rqt_actual_size has 16 bits */
	const unsigned cap = dev->caps.log_max_rqt_size;
	const uint32_t max = 1u << (cap && cap < LOG2_MAX ? cap : LOG2_MAX);

	if (!n_max || n_max > max || (n_max & (n_max - 1)))
		return devx_fail(dev, -EINVAL,
				 "RQT: a maximum of %u entries is invalid (valid: a power of two, "
				 "at most %u)",
				 n_max, max);
	return 0;
}

int devx_rqt_create(struct devx_rqt *rqt, struct devx_dev *dev, const uint32_t *rqns, uint32_t n,
		    uint32_t n_max)
{
	const size_t in_bytes = sizeof(struct prm_create_rqt_in) + n * sizeof(struct prm_rq_num);
	struct prm_create_rqt_out out = { 0 };
	struct prm_create_rqt_in *in;
	int rc = validate_n_max(dev, n_max);

	if (!rc)
		rc = validate_rq_numbers(dev, rqns, n, n_max);
	if (rc)
		return rc;
	in = calloc(1, in_bytes);
	if (!in)
		return devx_fail_sys(dev, ENOMEM, "RQT: cannot allocate a command of %u entries",
				     n);
	prm_set(in, opcode, PRM_OP_create_rqt);
	fill_rqt_context(prm_sub(in, rqt_context), rqns, n, n_max);
	rc = devx_cmd_create(dev, in, in_bytes, &out, sizeof(out), &rqt->obj);
	free(in);
	if (rc)
		return rc;
	rqt->dev = dev;
	rqt->n_max = n_max;
	rqt->rqtn = (uint32_t)prm_get(&out, rqtn);
	return 0;
}

int devx_rqt_modify(struct devx_rqt *rqt, const uint32_t *rqns, uint32_t n)
{
	const size_t in_bytes = sizeof(struct prm_modify_rqt_in) + n * sizeof(struct prm_rq_num);
	struct prm_modify_rqt_out out = { 0 };
	struct prm_modify_rqt_in *in;
	int rc = validate_rq_numbers(rqt->dev, rqns, n, rqt->n_max);

	if (rc)
		return rc;
	in = calloc(1, in_bytes);
	if (!in)
		return devx_fail_sys(rqt->dev, ENOMEM,
				     "RQT: cannot allocate a command of %u entries", n);
	prm_set(in, opcode, PRM_OP_modify_rqt);
	prm_set(in, rqtn, rqt->rqtn);
	prm_set(prm_sub(in, bitmask), rqn_list, 1);
	fill_rqt_context(prm_sub(in, ctx), rqns, n, 0);
	rc = devx_cmd_modify(rqt->dev, rqt->obj, in, in_bytes, &out, sizeof(out));
	free(in);
	return rc;
}

void devx_rqt_destroy(struct devx_rqt *rqt)
{
	devx_cmd_destroy(rqt->dev, rqt->obj);
	*rqt = (struct devx_rqt){ 0 };
}
