/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_STATS_H
#define DEVX_ETH_STATS_H

#include "compat.h"
#include "devx_port.h"

/** devx_eth_stats_open - begin the counts of the port, at probe. Return: 0 or -errno, logged */
int devx_eth_stats_open(struct devx_eth *eth);
/**
 * devx_eth_stats_continue - continue the counts of the port on a device that came back
 *
 * Firmware may have restarted its counters at 0. The caller holds eth->lock.
 */
void devx_eth_stats_continue(struct devx_eth *eth);

/* Operations of ethdev. */
int devx_eth_stats_get(DEVX_ETH_STATS_ARGS);
int devx_eth_xstats_reset(struct rte_eth_dev *ethdev);
int devx_eth_stats_reset(struct rte_eth_dev *ethdev);
int devx_eth_xstats_get(struct rte_eth_dev *ethdev, struct rte_eth_xstat *stats, unsigned int n);
int devx_eth_xstats_get_names(struct rte_eth_dev *ethdev, struct rte_eth_xstat_name *names,
			      unsigned int n);

#endif
