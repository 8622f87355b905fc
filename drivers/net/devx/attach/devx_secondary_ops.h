/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_OPS_H
#define DEVX_ETH_SECONDARY_OPS_H

#include "devx_port.h"

/**
 * devx_eth_secondary_ops - operations of a net_devx port in a secondary process
 *
 * Operations that would change the port log an error and return -ENOTSUP.
 */
extern const struct eth_dev_ops devx_eth_secondary_ops;

#endif
