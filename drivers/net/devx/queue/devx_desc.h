/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DESC_H
#define DEVX_ETH_DESC_H

#include <stdint.h>

#include "devx_port.h"

/** devx_eth_desc_get_max - get the largest number of descriptors of a queue on this device */
uint16_t devx_eth_desc_get_max(const struct devx_eth *eth);
/**
 * devx_eth_desc_validate - check the size of a ring and round it up to a power of two
 * @kind: "Rx" or "Tx", for the message
 * @queue: number of the queue, for the message
 * @n_desc: size that the application requested; receives the rounded size
 *
 * Return: 0, or -EINVAL if the size is out of range, logged
 */
int devx_eth_desc_validate(struct devx_eth *eth, const char *kind, uint16_t queue,
			   uint16_t *n_desc);

/**
 * devx_eth_desc_validate_threshold - refuse a threshold that is larger than its ring
 * @name: name of the threshold
 * @n: the threshold; 0: the default
 * @n_desc: size of the ring
 *
 * The driver does not use thresholds otherwise. Return: 0 or -EINVAL, logged
 */
int devx_eth_desc_validate_threshold(const struct devx_eth *eth, const char *kind, uint16_t queue,
				     const char *name, uint16_t n, uint16_t n_desc);

#endif
