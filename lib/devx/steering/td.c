/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/cmd.h"
#include "devx/td.h"
#include "prm/prm.h"

int devx_td_create(struct devx_td *td, struct devx_dev *dev)
{
	struct prm_alloc_transport_domain_in in = { 0 };
	struct prm_alloc_transport_domain_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_alloc_transport_domain);
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &td->obj);
	if (rc)
		return rc;
	td->dev = dev;
	td->tdn = (uint32_t)prm_get(&out, transport_domain);
	return 0;
}

void devx_td_destroy(struct devx_td *td)
{
	devx_cmd_destroy(td->dev, td->obj);
	*td = (struct devx_td){ 0 };
}
