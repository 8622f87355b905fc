/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_LIMITS_H
#define DEVX_ETH_QUEUE_LIMITS_H

#include <stdint.h>

#include "devx_port.h"

/**
 * DOC: Numbers of queues
 *
 * A receive queue needs an RQ, a CQ and an entry of the indirection table of RSS; a send queue
 * needs an SQ and a CQ. CQs of both directions share one limit of firmware. The limits apply to the
 * PCI function as a whole, including the kernel's netdev and other users.
 *
 * Source: PRM, "HCA Capabilities"; Linux mlx5_ifc_cmd_hca_cap_bits, log_max_rq.
 */

/** devx_eth_queue_get_max_rx - get the largest number of receive queues of a port */
uint16_t devx_eth_queue_get_max_rx(const struct devx_eth *eth);
/** devx_eth_queue_get_max_tx - get the largest number of send queues of a port */
uint16_t devx_eth_queue_get_max_tx(const struct devx_eth *eth);
/**
 * devx_eth_queue_validate_numbers - check that the device has a CQ for each configured queue
 * @eth: a port; ethdev has compared the number of queues of each direction with its limit
 *
 * Return: 0 or -EINVAL, logged
 */
int devx_eth_queue_validate_numbers(const struct devx_eth *eth);

#endif
