/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TELEMETRY_H
#define DEVX_ETH_TELEMETRY_H

#include "devx_port.h"

/**
 * DOC: Telemetry
 *
 *     /net_devx/caps,PORT        capabilities                /net_devx/queues,PORT[,rx|tx,QUEUE]
 *     /net_devx/objects,PORT     objects on the device       /net_devx/commands,PORT
 *     /net_devx/recovery,PORT    errors and recoveries       firmware commands
 *     /net_devx/history,PORT     the newest of these commands
 *
 * EAL calls back on threads of its own. A callback holds the lock of the list of ports, so that no
 * port closes meanwhile, and then eth->lock of its port. It sends no firmware command, and no burst
 * takes either lock. A parameter that is missing or out of range gives the answer
 * { "error": "..." }.
 */

/** devx_eth_telemetry_add - add a port to telemetry, after its probe succeeded */
void devx_eth_telemetry_add(struct devx_eth *eth);
/**
 * devx_eth_telemetry_remove - hide a port from telemetry before it closes
 * @eth: the port; may be hidden already. The caller does not hold eth->lock
 *
 * Waits until a running callback returns.
 */
void devx_eth_telemetry_remove(struct devx_eth *eth);

#endif
