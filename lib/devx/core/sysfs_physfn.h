/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SYSFS_PHYSFN_H
#define DEVX_SYSFS_PHYSFN_H

#include <stdbool.h>
#include <stddef.h>

#include "devx/netdev_trust.h"

/*
 * The physical function of a VF in sysfs: device/physfn/virtfnN and device/physfn/net/NETDEV.
 * Internal to the library.
 */

/**
 * devx_sysfs_read_physfn - read a network interface of the physical function of a VF
 * @ibdev_path: directory of the device in sysfs
 * @index: number of the interface, from 0; in switchdev mode there are several
 * @physfn: receives the name and the number of the VF; untouched if there is none
 *
 * Return: false: no VF, or no such interface.
 */
bool devx_sysfs_read_physfn(const char *ibdev_path, unsigned index,
			    struct devx_netdev_physfn *physfn);

struct rtnl_link;

/** devx_netdev_read_trust - get the trust in VF @vf from the link of the physical function */
enum devx_netdev_trust devx_netdev_read_trust(struct rtnl_link *link, uint32_t vf);

#endif
