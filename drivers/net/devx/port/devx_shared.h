/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SHARED_H
#define DEVX_ETH_SHARED_H

#include "devx_port.h"

/**
 * DOC: Objects that all queues of a port share
 *
 * The UAR of the receive CQs, the transport domain, TISs and the queue counter exist from probe to
 * close. A start of the port therefore needs no commands for them.
 */

/**
 * devx_eth_shared_open - create the objects
 * @eth: a port at probe
 *
 * If firmware has no queue counter, logs a warning; the port then does not count missed packets.
 *
 * Return: 0, or -errno, logged; devx_eth_shared_close() then destroys the objects that exist
 */
int devx_eth_shared_open(struct devx_eth *eth);

/** devx_eth_shared_close - destroy those objects that exist; the port has no queues any more */
void devx_eth_shared_close(struct devx_eth *eth);

#endif
