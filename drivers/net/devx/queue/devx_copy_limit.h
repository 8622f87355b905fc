/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COPY_LIMIT_H
#define DEVX_ETH_COPY_LIMIT_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Packets that send queues copy into WQEs (argument inline)
 *
 * With inline=N, send queues copy packets of up to N bytes. With inline=auto, as in net_mlx5, they
 * copy packets of up to DEVX_ETH_TX_COPY_DEFAULT bytes if the port has at least
 * DEVX_ETH_TX_COPY_QUEUES send queues.
 * Source: DPDK, doc/guides/nics/mlx5.rst, txqs_min_inline and txq_inline_mpw.
 */

enum {
	/* 15 basic blocks; no driver known to run on adapters writes longer WQEs */
	DEVX_ETH_TX_MAX_DS = 60,
	/* longest packet in such a WQE, after control segment, Ethernet segment and byte count */
	DEVX_ETH_TX_COPY_MAX = (DEVX_ETH_TX_MAX_DS - 2) * 16 - 4,
	DEVX_ETH_TX_COPY_DEFAULT = 268,
	DEVX_ETH_TX_COPY_QUEUES = 8,
};

/** devx_eth_tx_get_max_ds - get the largest number of 16-byte segments in a WQE of this device */
uint16_t devx_eth_tx_get_max_ds(const struct devx_eth *eth);
/**
 * devx_eth_copy_limit_check - refuse inline=N that the device does not support
 *
 * Return: 0; or -ENOTSUP if N bytes do not fit a WQE or there are no multi-packet WQEs, logged
 */
int devx_eth_copy_limit_check(const struct devx_eth *eth);
/** devx_eth_copy_limit_get - get inline_max for a new send queue; the port is configured */
uint16_t devx_eth_copy_limit_get(const struct devx_eth *eth);
/** devx_eth_copy_limit_report - log up to which length the queues of a port copy packets */
void devx_eth_copy_limit_report(const struct devx_eth *eth);

#endif
