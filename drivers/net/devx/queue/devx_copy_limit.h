/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COPY_LIMIT_H
#define DEVX_ETH_COPY_LIMIT_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Packets that send queues copy into WQEs (argument inline)
 *
 * inline=N copies packets of up to N bytes. inline=auto does as net_mlx5: a port with at least
 * DEVX_ETH_TX_COPY_QUEUES send queues copies packets of up to DEVX_ETH_TX_COPY_DEFAULT bytes.
 * Source: DPDK, doc/guides/nics/mlx5.rst, txqs_min_inline and txq_inline_mpw.
 */

enum {
	DEVX_ETH_TX_MAX_DS =
		60, /* 15 basic blocks; drivers known to run on adapters stay within this */
	/* longest packet that fits into such a WQE: without control, Ethernet segment and count */
	DEVX_ETH_TX_COPY_MAX = (DEVX_ETH_TX_MAX_DS - 2) * 16 - 4,
	DEVX_ETH_TX_COPY_DEFAULT = 268,
	DEVX_ETH_TX_COPY_QUEUES = 8,
};

/** devx_eth_tx_get_max_ds - get the number of segments that a WQE of this device may have */
uint16_t devx_eth_tx_get_max_ds(const struct devx_eth *eth);
/**
 * devx_eth_copy_limit_check - refuse inline=N that the device does not support
 *
 * Return: 0, or -ENOTSUP without multi-packet WQEs or if N is too long for a WQE, logged
 */
int devx_eth_copy_limit_check(const struct devx_eth *eth);
/** devx_eth_copy_limit_get - get inline_max of a new send queue of the configured port */
uint16_t devx_eth_copy_limit_get(const struct devx_eth *eth);
/** devx_eth_copy_limit_report - log which packets the queues of a port copy */
void devx_eth_copy_limit_report(const struct devx_eth *eth);

#endif
