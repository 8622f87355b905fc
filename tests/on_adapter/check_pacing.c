/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assumptions about rate limits. A check takes an entry of the adapter's table and gives it back.
 */
#include "checks.h"
#include "devx/cmd.h"
#include "devx/pp.h"

static bool prepare_limit(struct rig *rig, struct devx_pp *pp, struct adapter *at,
			  struct finding *f)
{
	const struct devx_pp_attr attr = { .kbps = at->dev.caps.packet_pacing_max_rate };

	if (!at->dev.caps.packet_pacing || !at->dev.caps.packet_pacing_uid) {
		cannot_test(
			f, "users cannot allocate rate limits here (capability packet_pacing_uid)");
		return false;
	}
	return rig_prepare_send(rig, at, f) &&
	       could_prepare(f, rig->dev, devx_pp_create(pp, rig->dev, &attr));
}

static bool query_index(const struct rig *rig, struct finding *f, unsigned int *index)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };

	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, rig->sq.sqn);
	if (!could_prepare(
		    f, rig->dev,
		    devx_cmd_query(rig->dev, rig->sq.obj, &in, sizeof(in), &out, sizeof(out))))
		return false;
	*index = (unsigned int)prm_get(prm_sub(&out, sq_context), packet_pacing_rate_limit_index);
	return true;
}

static void judge_index(struct finding *f, unsigned int saw, unsigned int want)
{
	if (saw == want)
		finding_confirm(f);
	else
		finding_refute(f, "saw rate limit %u in QUERY_SQ (expected %u)", saw, want);
}

void check_modify_sq_bit_0_is_rate_limit(struct adapter *at, struct finding *f)
{
	struct devx_pp pp = { 0 };
	struct rig rig = { 0 };
	unsigned int index;
	int rc;

	if (prepare_limit(&rig, &pp, at, f)) {
		rc = devx_sq_set_pp(&rig.sq, &pp);
		if (rc)
			judge_accepted(f, rig.dev, rc);
		else if (query_index(&rig, f, &index))
			judge_index(f, index, pp.index);
	}
	devx_sq_destroy(&rig.sq);
	devx_pp_destroy(&pp);
	rig_destroy(&rig);
}

void check_sq_keeps_its_limit_in_rst(struct adapter *at, struct finding *f)
{
	struct devx_pp pp = { 0 };
	struct rig rig = { 0 };
	unsigned int index;

	if (prepare_limit(&rig, &pp, at, f) &&
	    could_prepare(f, rig.dev, devx_sq_set_pp(&rig.sq, &pp)) &&
	    could_prepare(f, rig.dev, devx_sq_reset(&rig.sq)) && query_index(&rig, f, &index))
		judge_index(f, index, pp.index);
	devx_sq_destroy(&rig.sq);
	devx_pp_destroy(&pp);
	rig_destroy(&rig);
}
