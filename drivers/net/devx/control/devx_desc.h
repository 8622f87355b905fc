/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_DESC_H
#define DEVX_ETH_DESC_H

#include <stdint.h>

#include "devx_port.h"

/** devx_eth_desc_get_max - most descriptors of a queue */
uint16_t devx_eth_desc_get_max(const struct devx_eth *eth);
/**
 * devx_eth_desc_validate - a ring's size: in range, then rounded up to a power of two
 * @kind: "Rx" or "Tx", for the message
 *
 * Return: 0 or -EINVAL, logged.
 */
int devx_eth_desc_validate(struct devx_eth *eth, const char *kind, uint16_t queue,
			   uint16_t *n_desc);

#endif
