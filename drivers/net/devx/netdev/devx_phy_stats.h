/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PHY_STATS_H
#define DEVX_ETH_PHY_STATS_H

#include "devx_port.h"

/**
 * DOC: Counters of the physical port
 *
 * Firmware offers programs no command to read them. Like net_mlx5, the driver reads the statistics
 * of the netdev (devx/netdev_ethtool.h) and hides counters that the netdev lacks. The counts begin
 * at probe. While the netdev cannot be read, they keep their last values.
 *
 * The caller of each function holds eth->lock, except at probe and close.
 */

/** devx_eth_phy_stats_open - find the counters, at probe. Return: 0 or -ENOMEM, logged */
int devx_eth_phy_stats_open(struct devx_eth *eth);
/** devx_eth_phy_stats_start - find the counters again at start: the netdev may have changed */
void devx_eth_phy_stats_start(struct devx_eth *eth);
/** devx_eth_phy_stats_continue - continue the counts on a device that restarted them at 0 */
void devx_eth_phy_stats_continue(struct devx_eth *eth);
/** devx_eth_phy_stats_close - undo devx_eth_phy_stats_open(), if it was called */
void devx_eth_phy_stats_close(struct devx_eth *eth);
/** devx_eth_phy_stats_count - number of counters that the port shows */
unsigned int devx_eth_phy_stats_count(const struct devx_eth *eth);
const char *devx_eth_phy_stats_name(const struct devx_eth *eth, unsigned int i);
/** devx_eth_phy_stats_read - store the counts since the last reset in @stats[].value */
void devx_eth_phy_stats_read(struct devx_eth *eth, struct rte_eth_xstat *stats);
void devx_eth_phy_stats_reset(struct devx_eth *eth);

#endif
