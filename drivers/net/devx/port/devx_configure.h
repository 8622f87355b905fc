/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CONFIGURE_H
#define DEVX_ETH_CONFIGURE_H

#include "devx_port.h"

/** devx_eth_port_configure - check and apply the configuration (dev_configure). 0 or -errno */
int devx_eth_port_configure(struct rte_eth_dev *ethdev);

#endif
