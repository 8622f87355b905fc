/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COMPAT_H
#define DEVX_ETH_COMPAT_H

#include <rte_lcore.h>
#include <rte_telemetry.h>
#include <rte_thread.h>
#include <rte_version.h>

#include <bus_pci_driver.h>
#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_pci.h>
#include <ethdev_vdev.h>

/**
 * DOC: Differences between DPDK versions since 22.11
 *
 * These macros hide signatures that differ, so that each ethdev operation is written once.
 */

/* Since 24.03, dev_supported_ptypes_get sets a count. Before, RTE_PTYPE_UNKNOWN ended the list. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
#define DEVX_ETH_PTYPES_ARGS struct rte_eth_dev *ethdev, size_t *n_ptypes
#define devx_eth_ptypes_set_count(n) (*n_ptypes = (n))
#else
#define DEVX_ETH_PTYPES_ARGS struct rte_eth_dev *ethdev
#define devx_eth_ptypes_set_count(n) ((void)(n))
#endif

/* Since 25.11, stats_get fills the counters of queues in a separate struct, which may be NULL. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define DEVX_ETH_STATS_ARGS                                                                        \
	struct rte_eth_dev *ethdev, struct rte_eth_stats *stats, struct eth_queue_stats *queues
#define devx_eth_queue_stats(stats, queues) (queues)
#else
#define DEVX_ETH_STATS_ARGS struct rte_eth_dev *ethdev, struct rte_eth_stats *stats
#define devx_eth_queue_stats(stats, queues) (stats)
#endif

/* rx_queue_count returns uint32_t in 22.11 and int in 25.11. */
typedef __typeof__(((eth_rx_queue_count_t)NULL)(NULL)) devx_eth_rx_count;

/* Since 24.03, ethdev can query how many descriptors of a send queue are in use. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
#define devx_eth_set_tx_queue_count(ethdev, function) ((ethdev)->tx_queue_count = (function))
#else
#define devx_eth_set_tx_queue_count(ethdev, function) ((void)(function))
#endif

/* 23.03 renamed the function that adds an unsigned number. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define devx_eth_tel_add_number rte_tel_data_add_dict_uint
#else
#define devx_eth_tel_add_number rte_tel_data_add_dict_u64
#endif

/*
 * devx_eth_thread_create - start a thread that runs on no CPU of an lcore. Return: 0 or -errno
 *
 * Since 23.11, EAL has another function for this, which accepts names of up to 10 characters. On
 * Linux an rte_thread_t is a pthread_t.
 */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
typedef uint32_t devx_eth_thread_result;
static inline int devx_eth_thread_create(pthread_t *id, const char *name, rte_thread_func run,
					 void *arg)
{
	rte_thread_t thread = { 0 };
	const int rc = rte_thread_create_internal_control(&thread, name, run, arg);

	*id = (pthread_t)thread.opaque_id;
	return rc;
}
#else
typedef void *devx_eth_thread_result;
static inline int devx_eth_thread_create(pthread_t *id, const char *name, void *(*run)(void *),
					 void *arg)
{
	return rte_ctrl_thread_create(id, name, NULL, run, arg);
}
#endif

#endif
