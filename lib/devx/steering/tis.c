/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx/core/fail.h"
#include "devx/tis.h"
#include "prm/prm.h"

enum { PORT_MAX = 15 }; /* lag_tx_port_affinity has 4 bits */

int devx_tis_create(struct devx_tis *tis, struct devx_dev *dev, const struct devx_td *td)
{
	return devx_tis_create_on_port(tis, dev, td, 0);
}

int devx_tis_create_on_port(struct devx_tis *tis, struct devx_dev *dev, const struct devx_td *td,
			    uint8_t port)
{
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out = { 0 };
	int rc;

	if (!td || !td->obj)
		return devx_fail(dev, -EINVAL,
				 "TIS: no transport domain; pass one that devx_td_create() made");
	if (port > PORT_MAX)
		return devx_fail(dev, -EINVAL,
				 "TIS: port %u of the bond is invalid (valid: 1 to the number of "
				 "its ports, or 0)",
				 port);
	prm_set(&in, opcode, PRM_OP_create_tis);
	prm_set(prm_sub(&in, ctx), lag_tx_port_affinity, port);
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
