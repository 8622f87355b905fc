/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_STEER_H
#define DEVX_ETH_STEER_H

#include "devx_port.h"

/** devx_eth_steer_start - create TIRs and rules; under eth->lock. Return: 0 or -errno, logged */
int devx_eth_steer_start(struct devx_eth *eth);
/** devx_eth_steer_stop - undo devx_eth_steer_start(), also a failed one; under eth->lock */
void devx_eth_steer_stop(struct devx_eth *eth);
/**
 * devx_eth_steer_update - change the receive rules
 * @eth: a started port
 * @filters: packets to receive
 *
 * Creates new rules before it removes old ones; a failure keeps the old rules. Under eth->lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_steer_update(struct devx_eth *eth, const struct devx_eth_filters *filters);

#endif
