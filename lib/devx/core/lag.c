/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/cmd.h"
#include "devx/lag.h"
#include "prm/prm.h"

static int query_caps(struct devx_dev *dev, struct devx_lag *lag)
{
	struct prm_query_hca_cap_in in = { 0 };
	struct prm_query_hca_cap_out out = { 0 };
	const struct prm_cmd_hca_cap *cap = (const void *)&out.dw[prm_bit(&out, capability) / 32];
	int rc;

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_PAGE_GENERAL << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	lag->n_ports = (uint8_t)prm_get(cap, num_lag_ports);
	lag->tis_affinity = prm_get(cap, lag_tx_port_affinity);
	return 0;
}

int devx_lag_query(struct devx_dev *dev, struct devx_lag *lag)
{
	struct prm_query_lag_in in = { 0 };
	struct prm_query_lag_out out = { 0 };
	struct devx_lag got = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_query_lag);
	rc = devx_cmd_general(dev, &in, sizeof(in), &out, sizeof(out));
	if (rc)
		return rc;
	got.active = prm_get(prm_sub(&out, ctx), lag_state) != PRM_LAG_STATE_NONE;
	if (got.active) {
		got.mode = (uint8_t)prm_get(prm_sub(&out, ctx), port_select_mode);
		rc = query_caps(dev, &got);
	}
	if (!rc)
		*lag = got;
	return rc;
}
