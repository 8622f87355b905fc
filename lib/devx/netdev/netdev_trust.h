/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_NETDEV_TRUST_H
#define DEVX_NETDEV_NETDEV_TRUST_H

#include <stdint.h>

#include "devx/netdev_trust.h"

struct rtnl_link;

/** devx_netdev_read_trust - get the trust in VF @vf from the link of the physical function */
enum devx_netdev_trust devx_netdev_read_trust(struct rtnl_link *link, uint32_t vf);

#endif
