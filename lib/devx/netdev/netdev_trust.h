/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_NETDEV_NETDEV_TRUST_H
#define DEVX_NETDEV_NETDEV_TRUST_H

#include <stdint.h>

#include "devx/netdev_trust.h"

struct rtnl_link;

/** devx_netdev_read_trust - read from @link, the physical function, whether the host trusts @vf */
enum devx_netdev_trust devx_netdev_read_trust(struct rtnl_link *link, uint32_t vf);

#endif
