/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MISSED_H
#define DEVX_ETH_MISSED_H

#include "devx_port.h"

/**
 * DOC: Packets without a receive buffer, from the queue counter of the firmware
 *
 *     start ......... sends no query: without receive queues the counter has not changed
 *       poll ........ called by the recovery timer: handles a reply, starts a query per period
 *       get ......... returns the last value, in any thread and process; no system call
 *       reset ....... reads the counter and waits
 *     stop .......... reads the counter and waits; the count is final until the next start
 *
 * At most one query is in flight. If a reading that waits overtakes it, its reply is dropped.
 *
 * All functions but get write struct devx_eth_missed; their caller holds eth->lock.
 */

/**
 * devx_eth_missed_period_ms - time from one query of the recovery timer to the next, 950 ms
 *
 * With the delays of the reply and of the timer, a value is then at most a second old. Only tests
 * change the period.
 */
extern unsigned int devx_eth_missed_period_ms;
/** devx_eth_missed_open - create the channel for replies, at probe. Return: 0 or -errno, logged */
int devx_eth_missed_open(struct devx_eth *eth);
/** devx_eth_missed_close - undo devx_eth_missed_open(), if it was called */
void devx_eth_missed_close(struct devx_eth *eth);
/**
 * devx_eth_missed_detach - destroy the channel for replies, because the device is lost
 *
 * The count stays. The next queue counter begins at 0.
 */
void devx_eth_missed_detach(struct devx_eth *eth);
/** devx_eth_missed_attach - undo devx_eth_missed_detach(). Return: 0 or -errno, not logged */
int devx_eth_missed_attach(struct devx_eth *eth);
/** devx_eth_missed_start - begin to query eth->counter */
void devx_eth_missed_start(struct devx_eth *eth);
/**
 * devx_eth_missed_stop - end the queries of eth->counter and read it for the last time
 *
 * Call it when no receive queue uses eth->counter any longer.
 */
void devx_eth_missed_stop(struct devx_eth *eth);
/** devx_eth_missed_reset - read eth->counter and set the count to 0 */
void devx_eth_missed_reset(struct devx_eth *eth);
/**
 * devx_eth_missed_poll - handle a reply that has arrived, and start the next query if it is due
 *
 * Context: the recovery timer, while the device is not lost; never waits for the firmware.
 */
void devx_eth_missed_poll(struct devx_eth *eth);
/**
 * devx_eth_missed_get - get the count since the last reset
 * @age_ms: receives the age of the count in ms; 0 while the port is stopped
 *
 * Context: any thread of any process.
 */
uint64_t devx_eth_missed_get(const struct devx_eth *eth, uint64_t *age_ms);

#endif
