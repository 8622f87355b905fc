/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The number of UAR pages of the function. No frame is sent.
 */
#include <errno.h>

#include "checks.h"

enum { N_REGISTERS = 256 }; /* a port with 256 send queues and generator rings takes as many */

/* Allocates registers until none is left. Returns their number; @rc: why the next one failed. */
static unsigned int take_registers(struct devx_dev *dev, struct devx_uar *uars, int *rc)
{
	enum devx_uar_type type = DEVX_UAR_BF;
	unsigned int n = 0;

	*rc = devx_uar_create(&uars[0], dev, type);
	if (*rc == -EOPNOTSUPP) {
		type = DEVX_UAR_NC_DEDICATED;
		*rc = devx_uar_create(&uars[0], dev, type);
	}
	while (!*rc && ++n < N_REGISTERS)
		*rc = devx_uar_create(&uars[n], dev, type);
	return n;
}

/* libmlx5 keeps pages until it closes the device, so the check opens a device of its own. */
void check_uar_pages_suffice_for_256_registers(struct adapter *at, struct finding *f)
{
	struct devx_uar uars[N_REGISTERS] = { 0 };
	struct devx_dev dev = { 0 };
	unsigned int n;
	int rc = devx_dev_open(&dev, at->ibdev);

	if (!could_prepare(f, &dev, rc))
		return;
	n = take_registers(&dev, uars, &rc);
	if (n == N_REGISTERS)
		finding_confirm(f);
	else if (rc == -EOPNOTSUPP)
		cannot_test(f, "the kernel or rdma-core has no registers for one queue");
	else
		finding_refute(f, "saw %u registers (expected %d); more queues share one", n,
			       N_REGISTERS);
	while (n)
		devx_uar_destroy(&uars[--n]);
	devx_dev_close(&dev);
}
