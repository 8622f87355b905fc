/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/clock.h"
#include "devx_port.h"
#include "port/devx_clock.h"

int devx_eth_clock_read(struct rte_eth_dev *ethdev, uint64_t *clock)
{
	const struct devx_eth *eth = devx_eth_port_get(ethdev);
	int rc;

	if (devx_eth_is_lost(eth))
		return -EIO;
	rc = devx_eth_has_real_time(eth) ? devx_clock_read_real_time(&eth->dev, clock)
					 : devx_clock_read(&eth->dev, clock);
	return rc == -EOPNOTSUPP ? -ENOTSUP : rc;
}
