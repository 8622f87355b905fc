/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_TRUST_H
#define DEVX_NETDEV_TRUST_H

#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: Trust of the host in a virtual function (VF)
 *
 *     ip link set PF vf N trust on      on the host, PF is the netdev of the physical function
 *
 * Without trust the e-switch ignores promiscuous and all-multicast mode of the VF. No command of
 * the VF reports the trust, only the netdev of the physical function does. This netdev is invisible
 * in a virtual machine and in another network namespace.
 *
 * Source: rtnetlink(7), IFLA_VFINFO_LIST; Linux, rtnl_fill_vfinfo(),
 * mlx5_eswitch_set_vport_trust().
 */

/** enum devx_netdev_trust - whether the host trusts a VF */
enum devx_netdev_trust {
	DEVX_NETDEV_TRUST_UNKNOWN, /* not a VF, or its physical function has no visible netdev */
	DEVX_NETDEV_TRUST_OFF,
	DEVX_NETDEV_TRUST_ON,
};

/**
 * struct devx_netdev_physfn - place of a VF in its physical function
 * @netdev: name of a network interface of the physical function
 * @vf: number of the VF, as in `ip link set NETDEV vf NUMBER`
 */
struct devx_netdev_physfn {
	char netdev[DEVX_NETDEV_BYTES];
	uint32_t vf;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_netdev_get_trust - check whether the host trusts a VF
 * @dev: an open device
 * @physfn: receives the place of the VF if the trust is known; unchanged otherwise
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: the trust at the time of the call.
 */
enum devx_netdev_trust devx_netdev_get_trust(const struct devx_dev *dev,
					     struct devx_netdev_physfn *physfn);

#ifdef __cplusplus
}
#endif

#endif
