/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CAP_CHECK_H
#define DEVX_ETH_CAP_CHECK_H

#include "devx_port.h"

/**
 * DOC: Devices that probe refuses
 *
 * The driver computes with values of capabilities. A device with values that no ConnectX has would
 * fail later, at an operation that does not name the cause. Probe refuses it with one line.
 */

/**
 * devx_eth_link_layer_check - refuse a port that is not Ethernet
 *
 * Return: 0, -ENOTSUP for an InfiniBand port, or as devx_port_query_ethernet(). Logged.
 */
int devx_eth_link_layer_check(struct devx_eth *eth);
/**
 * devx_eth_caps_check - refuse a device without the capabilities that every port needs
 *
 * Return: 0, or -ENOTSUP, with the first missing or invalid capability in the log.
 */
int devx_eth_caps_check(const struct devx_eth *eth);

#endif
