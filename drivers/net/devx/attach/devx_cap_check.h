/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CAP_CHECK_H
#define DEVX_ETH_CAP_CHECK_H

#include "devx_port.h"

/**
 * DOC: Devices that probe refuses
 *
 * The driver calculates with the values of capabilities. With values that no ConnectX has, some
 * later operation would fail without naming the cause. Probe therefore refuses such a device.
 */

/**
 * devx_eth_link_layer_check - refuse a port that is not Ethernet
 *
 * Return: 0, -ENOTSUP for an InfiniBand port, or an error of devx_port_query_ethernet(); logged
 */
int devx_eth_link_layer_check(struct devx_eth *eth);
/**
 * devx_eth_caps_check - refuse a device without the capabilities that every port needs
 *
 * Return: 0, or -ENOTSUP after logging the first missing or invalid capability
 */
int devx_eth_caps_check(const struct devx_eth *eth);

#endif
