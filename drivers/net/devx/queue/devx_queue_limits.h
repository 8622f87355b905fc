/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_LIMITS_H
#define DEVX_ETH_QUEUE_LIMITS_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Numbers of queues
 *
 * A receive queue needs an RQ, a CQ and an entry of the indirection table of RSS; a send queue
 * needs an SQ and a CQ. Firmware has one limit for the CQs of both directions. The limits are those
 * of the whole PCI function, so other users of it, such as the kernel's netdev, use a part of them.
 *
 * Source: PRM, "HCA Capabilities"; Linux mlx5_ifc_cmd_hca_cap_bits, log_max_rq.
 */

/** devx_eth_queue_get_max_rx - get the largest number of receive queues of a port */
uint16_t devx_eth_queue_get_max_rx(const struct devx_eth *eth);
/** devx_eth_queue_get_max_tx - get the largest number of send queues of a port */
uint16_t devx_eth_queue_get_max_tx(const struct devx_eth *eth);
/**
 * devx_eth_queue_validate_numbers - check that the configured queues get along with each other
 * @eth: a port; ethdev has compared each number of @eth->data with its limit
 *
 * Return: 0 or -EINVAL (more queues in total than CQs), logged.
 */
int devx_eth_queue_validate_numbers(const struct devx_eth *eth);

#endif
