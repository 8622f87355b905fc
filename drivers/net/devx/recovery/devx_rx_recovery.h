/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_RECOVERY_H
#define DEVX_ETH_RX_RECOVERY_H

#include "devx_rxq.h"

/** devx_eth_rxq_recover - reset and refill a broken queue; under eth->lock. Return: 0 or -errno */
int devx_eth_rxq_recover(struct devx_eth_rxq *rxq);

#endif
