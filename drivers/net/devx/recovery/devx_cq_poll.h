/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CQ_POLL_H
#define DEVX_ETH_CQ_POLL_H

#include "devx_port.h"

/**
 * DOC: States of CQs without events
 *
 * If the device withholds CQ_ERROR from users, the recovery timer asks firmware for the state of
 * one CQ every DEVX_ETH_CQ_POLL_MS. The queues have their turn in a circle. A queue comes first if
 * it has work and its burst took no CQE since the last look: a CQ in error stops. A queue whose
 * burst took a CQE needs no question. A queue without work is asked if no other one waits.
 */

/**
 * devx_eth_cq_poll_step - read the state of at most one CQ; a period of the timer has passed
 *
 * Sends no command in most periods, and none if the port gets CQ_ERROR. The caller holds
 * eth->lock; the port is started.
 */
void devx_eth_cq_poll_step(struct devx_eth *eth);

#endif
