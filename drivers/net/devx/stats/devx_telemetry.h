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
 * EAL calls back on threads of its own. A callback takes the lock of the list of ports, so that no
 * port closes meanwhile, and then eth->lock. It sends no firmware commands, and no burst takes
 * either lock. If a parameter is missing or out of range, the answer is { "error": "..." }.
 */

/** devx_eth_telemetry_add - show a port in telemetry, after its probe succeeded */
void devx_eth_telemetry_add(struct devx_eth *eth);
/**
 * devx_eth_telemetry_remove - hide a port, if it is shown, before it closes
 *
 * Waits until a running callback returns. The caller does not hold eth->lock.
 */
void devx_eth_telemetry_remove(struct devx_eth *eth);

#endif
