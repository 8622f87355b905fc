/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DOORBELL_H
#define DEVX_ETH_DOORBELL_H

#include "devx_port.h"

/**
 * DOC: Doorbell registers of a port
 *
 * The argument uar= names the type of UAR to try first. If the machine or rdma-core does not
 * support a type, the port tries the next one in the row:
 *
 *     auto           x86-64: dedicated non-cached, BlueFlame, non-cached; otherwise like bf
 *     bf             BlueFlame, dedicated non-cached, non-cached; with tx_bf_wqe: only BlueFlame
 *     nc_dedicated   dedicated non-cached, non-cached
 *     nc             non-cached
 *
 * PRM-MISSING: which type of register is fastest for Ethernet queues (auto follows DPDK's net_mlx5
 * and Linux' mlx5e; doc/devx.md has the command that measures it).
 */

/**
 * devx_eth_doorbell_open - choose the type of UAR and create the UAR of the receive CQs
 * @eth: a port at probe; receives @eth->uar_type and @eth->uar
 *
 * @eth->uar is non-cached and shared, so that send queues can use its register when no UAR page is
 * free (devx_queue_uar.h). On Linux before 5.7, its type is @eth->uar_type.
 *
 * Logs which registers the port uses, and why a preferred type is unsupported.
 *
 * Context: control path.
 *
 * Return: 0, or the first -errno, logged
 */
int devx_eth_doorbell_open(struct devx_eth *eth);

#endif
