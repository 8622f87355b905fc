/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/tis.h"
#include "prm/prm.h"

int devx_tis_create(struct devx_tis *tis, struct devx_dev *dev, const struct devx_td *td)
{
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out = { 0 };
	int rc;

	if (!td || !td->obj)
		return devx_fail(dev, -EINVAL,
				 "TIS: no transport domain; pass one that devx_td_create() made");
	prm_set(&in, opcode, PRM_OP_create_tis);
	prm_set(prm_sub(&in, ctx), transport_domain, td->tdn);
	rc = devx_cmd_create(dev, &in, sizeof(in), &out, sizeof(out), &tis->obj);
	if (rc)
		return rc;
	tis->dev = dev;
	tis->tisn = (uint32_t)prm_get(&out, tisn);
	return 0;
}

void devx_tis_destroy(struct devx_tis *tis)
{
	devx_cmd_destroy(tis->dev, tis->obj);
	*tis = (struct devx_tis){ 0 };
}
