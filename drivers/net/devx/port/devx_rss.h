/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RSS_H
#define DEVX_ETH_RSS_H

#include "devx_port.h"

/** devx_eth_rss_configure - copy the RSS configuration from ethdev. 0 or -errno, logged */
int devx_eth_rss_configure(struct devx_eth *eth);
/** devx_eth_rss_get_info - report hash functions, key length and redirection table size */
void devx_eth_rss_get_info(const struct devx_eth *eth, struct rte_eth_dev_info *info);

/* Operations of ethdev. */
int devx_eth_rss_hash_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf);
int devx_eth_rss_hash_conf_get(struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf);
int devx_eth_rss_reta_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf,
			     uint16_t n);
int devx_eth_rss_reta_query(struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf,
			    uint16_t n);

#endif
