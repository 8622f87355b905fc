/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "netdev/devx_has_netdev.h"

bool devx_eth_has_netdev(const struct devx_eth *eth)
{
	return eth->dev.netdev[0];
}

int devx_eth_refuse_change(struct devx_eth *eth, const char *what)
{
	devx_eth_log(eth, ERR,
		     "%s: cannot be changed, because the port has no network interface in the "
		     "kernel",
		     what);
	return -ENOTSUP;
}
