/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SHARED_H
#define DEVX_ETH_SHARED_H

#include "devx_port.h"

/**
 * DOC: Objects that all queues of a port share
 *
 * UAR of the receive CQs, transport domain, TIS, queue counter. They exist from probe to close, so
 * that a start sends no command for them.
 */

/**
 * devx_eth_shared_open - create the objects
 * @eth: a port at probe
 *
 * Firmware without a queue counter costs a warning, and the port does not count missed packets.
 *
 * Return: 0 or -errno, logged; then devx_eth_shared_close() releases what exists.
 */
int devx_eth_shared_open(struct devx_eth *eth);

/** devx_eth_shared_close - destroy the objects, of which any may be missing; no queue exists */
void devx_eth_shared_close(struct devx_eth *eth);

#endif
