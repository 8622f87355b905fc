/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_CQ_POLL_H
#define DEVX_ETH_CQ_POLL_H

#include "devx_port.h"

/**
 * DOC: States of CQs without events
 *
 * If the device withholds CQ_ERROR from user space, the recovery timer queries the state of one CQ
 * every DEVX_ETH_CQ_POLL_MS, round robin. A CQ in error gets no more CQEs. So a queue comes first
 * if it has work and its bursts took no CQE since the last search. A queue whose bursts took a CQE
 * needs no query. A queue without work is queried if no other queue needs it.
 */

/**
 * devx_eth_cq_poll_step - read the state of at most one CQ; call it once per period of the timer
 *
 * Sends no command in most periods, and none if the port gets CQ_ERROR. The caller holds
 * eth->lock; the port is started.
 */
void devx_eth_cq_poll_step(struct devx_eth *eth);

#endif
