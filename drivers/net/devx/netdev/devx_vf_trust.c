/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/netdev_trust.h"
#include "devx_log.h"
#include "netdev/devx_vf_trust.h"

void devx_eth_vf_trust_report(struct devx_eth *eth, const char *mode)
{
	struct devx_netdev_physfn physfn;
	enum devx_netdev_trust trust;

	if (!eth->netdev.vf.is_vf || eth->netdev.vf.trust_reported)
		return;
	trust = devx_netdev_get_trust(&eth->dev, &physfn);
	if (trust == DEVX_NETDEV_TRUST_ON)
		return;
	eth->netdev.vf.trust_reported = true;
	if (trust == DEVX_NETDEV_TRUST_OFF)
		devx_eth_log(eth, WARNING,
			     "%s: the host does not trust this virtual function, so the port "
			     "receives only packets to its own addresses; run `ip link set %s vf "
			     "%u trust on`",
			     mode, physfn.netdev, physfn.vf);
	else
		devx_eth_log(eth, NOTICE,
			     "%s: a virtual function needs `ip link set PF vf N trust on` on its "
			     "host; without it the port receives only packets to its own "
			     "addresses",
			     mode);
}
