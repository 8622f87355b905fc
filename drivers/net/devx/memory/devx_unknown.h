/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_UNKNOWN_H
#define DEVX_ETH_UNKNOWN_H

#include "devx_port.h"

/**
 * DOC: Packets in memory without a key
 *
 *     burst    finds such a packet, writes address and pool into its queue (devx_eth_tx_unknown)
 *     timer    registers the pinned buffers of the pool, or logs the address of the packet
 *
 * A pool becomes ready before its pinned buffers have addresses, and DPDK reports no later event.
 * So the port registers them when it starts, when a receive queue of the pool starts, or here.
 */

/**
 * devx_eth_unknown_handle - handle the packets without a key that bursts of a port found
 *
 * Context: the recovery timer, without eth->lock: the search for a pool takes a lock of EAL. No
 * queue can vanish meanwhile.
 */
void devx_eth_unknown_handle(struct devx_eth *eth);

#endif
