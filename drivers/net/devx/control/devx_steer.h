/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_STEER_H
#define DEVX_ETH_STEER_H

#include <stdbool.h>

#include <rte_ether.h>

#include "devx_port.h"

/** devx_eth_steer_start - create the TIR and the rules; with the lock. 0 or -errno, logged */
int devx_eth_steer_start(struct devx_eth *eth);
/** devx_eth_steer_stop - undo it, however far it got */
void devx_eth_steer_stop(struct devx_eth *eth);
/**
 * devx_eth_steer_update - make the rules those of the modes and the address given
 *
 * Makes new rules before it removes old ones; a refusal leaves the old ones. With the lock.
 *
 * Return: 0 or -errno, logged.
 */
int devx_eth_steer_update(struct devx_eth *eth, bool promisc, bool allmulti,
			  const struct rte_ether_addr *mac);

#endif
