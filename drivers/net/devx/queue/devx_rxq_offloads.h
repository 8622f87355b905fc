/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RXQ_OFFLOADS_H
#define DEVX_ETH_RXQ_OFFLOADS_H

#include <stdint.h>

#include "devx_rxq.h"

/** devx_eth_rx_offloads_get - get the offloads that a receive queue may request on this device */
uint64_t devx_eth_rx_offloads_get(const struct devx_caps *caps);

/**
 * devx_eth_rxq_set_offloads - set the fields of a queue that depend on its offloads
 *
 * Return: 0, or -ENOMEM if mbufs have no room for a timestamp, logged
 */
int devx_eth_rxq_set_offloads(struct devx_eth_rxq *rxq);

#endif
