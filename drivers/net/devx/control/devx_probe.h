/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PROBE_H
#define DEVX_ETH_PROBE_H

#include "devx_log.h"

/* Logs a line before a port exists; the line begins with the name of the vdev. */
#define devx_eth_probe_log(vdev, level, fmt, ...)                                                  \
	rte_log(RTE_LOG_##level, devx_eth_logtype, "%s: " fmt "\n", rte_vdev_device_name(vdev),    \
		##__VA_ARGS__)

/** devx_eth_set_functions - set operations and functions of a port, whose bursts move no packets */
void devx_eth_set_functions(struct rte_eth_dev *ethdev, const struct eth_dev_ops *ops);

#endif
