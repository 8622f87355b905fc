/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COMPAT_H
#define DEVX_ETH_COMPAT_H

#include <rte_version.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

/**
 * DOC: What differs between DPDK versions, from 22.11 on
 *
 * Signatures of ethdev operations as macros, so that the operations themselves stand once.
 */

/* dev_supported_ptypes_get returns a count since 24.03; before, the list ended with 0. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
#define DEVX_ETH_PTYPES_ARGS struct rte_eth_dev *ethdev, size_t *n_ptypes
#define devx_eth_ptypes_set_count(n) (*n_ptypes = (n))
#else
#define DEVX_ETH_PTYPES_ARGS struct rte_eth_dev *ethdev
#define devx_eth_ptypes_set_count(n) ((void)(n))
#endif

/* stats_get keeps queue counters apart since 25.11. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define DEVX_ETH_STATS_ARGS                                                                        \
	struct rte_eth_dev *ethdev, struct rte_eth_stats *stats, struct eth_queue_stats *queues
#define devx_eth_queue_stats(stats, queues) (queues)
#else
#define DEVX_ETH_STATS_ARGS struct rte_eth_dev *ethdev, struct rte_eth_stats *stats
#define devx_eth_queue_stats(stats, queues) (stats)
#endif

#endif
