/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_VLAN_STRIP_H
#define DEVX_ETH_VLAN_STRIP_H

#include <stdint.h>

#include "devx_port.h"

/* Operations of ethdev that change VLAN offloads after configure. */

/**
 * devx_eth_vlan_offload_set - apply changes of the offloads VLAN_STRIP and VLAN_FILTER
 *
 * Return: 0, or -errno, logged, without any change
 */
int devx_eth_vlan_offload_set(struct rte_eth_dev *ethdev, int mask);
/** devx_eth_vlan_strip_queue_set - make @queue strip (@on) or keep tags; logs a failure */
void devx_eth_vlan_strip_queue_set(struct rte_eth_dev *ethdev, uint16_t queue, int on);

#endif
