/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PHY_STATS_H
#define DEVX_ETH_PHY_STATS_H

#include "devx_port.h"

/**
 * DOC: Counters of the physical port
 *
 * A program has no command for them. The driver reads them from the statistics of the netdev, as
 * net_mlx5 does (devx/netdev_ethtool.h). A counter that the netdev does not have is hidden. The
 * counts begin at probe. If the netdev cannot be read, they keep their last values.
 *
 * The caller of each function holds eth->lock, except at probe and close.
 */

/** devx_eth_phy_stats_open - find the counters, at probe. Return: 0 or -ENOMEM, logged */
int devx_eth_phy_stats_open(struct devx_eth *eth);
/** devx_eth_phy_stats_start - find the counters again, at start: the netdev may have changed */
void devx_eth_phy_stats_start(struct devx_eth *eth);
/** devx_eth_phy_stats_continue - go on with the counts on a device that came back and began at 0 */
void devx_eth_phy_stats_continue(struct devx_eth *eth);
/** devx_eth_phy_stats_close - undo devx_eth_phy_stats_open(); also without it */
void devx_eth_phy_stats_close(struct devx_eth *eth);
/** devx_eth_phy_stats_count - number of counters that the port shows */
unsigned int devx_eth_phy_stats_count(const struct devx_eth *eth);
/** devx_eth_phy_stats_name - name of counter @i for ethdev */
const char *devx_eth_phy_stats_name(const struct devx_eth *eth, unsigned int i);
/** devx_eth_phy_stats_read - read all counters since the last reset into @stats, by their order */
void devx_eth_phy_stats_read(struct devx_eth *eth, struct rte_eth_xstat *stats);
/** devx_eth_phy_stats_reset - set all counters to 0 */
void devx_eth_phy_stats_reset(struct devx_eth *eth);

#endif
