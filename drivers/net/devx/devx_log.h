/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LOG_H
#define DEVX_ETH_LOG_H

#include <rte_log.h>

#include "devx_port.h"

extern int devx_eth_logtype;

/** devx_eth_log - log one line that begins with port and device: "net_devx0 (mlx5_0): ..." */
#define devx_eth_log(eth, level, fmt, ...)                                                         \
	rte_log(RTE_LOG_##level, devx_eth_logtype, "%s (%s): " fmt "\n", (eth)->name,              \
		(eth)->dev.ibdev, ##__VA_ARGS__)

/** devx_eth_probe_log - log one line before a port exists; it begins with the name of @device */
#define devx_eth_probe_log(device, level, fmt, ...)                                                \
	rte_log(RTE_LOG_##level, devx_eth_logtype, "%s: " fmt "\n", rte_dev_name(device),          \
		##__VA_ARGS__)

/**
 * devx_eth_log_failure - log a failed call of lib/devx with its reason (devx_strerror())
 * @rc: negative errno that the call returned
 * @fmt: the failed operation, such as "cannot create send queue %u"
 *
 * Return: @rc; but -EIO for -EREMOTEIO, a refusal of the firmware, because ethdev has no such error
 */
int devx_eth_log_failure(struct devx_eth *eth, int rc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * devx_eth_refuse_change - log that a value cannot be changed without a netdev
 * @what: name of the value, for the message
 *
 * Return: -ENOTSUP
 */
int devx_eth_refuse_change(struct devx_eth *eth, const char *what);

#endif
