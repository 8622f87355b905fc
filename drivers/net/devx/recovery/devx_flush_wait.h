/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FLUSH_WAIT_H
#define DEVX_ETH_FLUSH_WAIT_H

#include "devx_flush.h"
#include "devx_txq.h"

/**
 * DOC: The wait for flush CQEs
 *
 * In ERR the device writes an error CQE for each WQE that it does not execute: a flush CQE. One
 * that it writes only after the reset would look like a CQE of a new WQE. Therefore the driver
 * resets a queue in ERR after the CQE of its last WQE, as Linux,
 * mlx5e_tx_reporter_err_cqe_recover:
 *
 *     Rx               each posted WQE gets a CQE
 *     Tx, generator    a WQE that requests no CQE may get none. Then a NOP that requests one
 *                      follows the last WQE, as in Linux, mlx5_ib_drain_sq
 *
 * The recovery timer looks once per period, for devx_eth_flush_periods. The stop of a queue waits
 * as long as for packets that are not sent. The timer replaces a queue whose CQ failed without this
 * wait.
 *
 * After a wait that was too long, the CQE may still come. Then the recovery timer gives the queue a
 * new CQ and a new SQ or RQ, as after an error of the CQ. A stopped queue gets them at its start.
 */

/** DEVX_ETH_WAITING - result of a recovery: flush CQEs are missing, the next period looks again */
enum { DEVX_ETH_WAITING = 1 };

/** devx_eth_flush_periods - longest wait of the recovery timer, 400 periods; tests change it */
extern unsigned int devx_eth_flush_periods;

/**
 * devx_eth_flush_give_up - end a wait that has been too long: mark it as overdue, and log that
 * @queue: format of the name of the queue, such as "Tx queue %u"
 */
void devx_eth_flush_give_up(struct devx_eth *eth, struct devx_eth_flush *flush, const char *queue,
			    ...) __attribute__((format(printf, 3, 4)));

/**
 * devx_eth_txq_poll_flush - take the CQEs of a queue that may be in ERR
 * @txq: a queue that no burst uses and whose CQ has not failed
 *
 * From the first call on until the next reset, @txq->flush.first has the first lost elt.
 *
 * Return: 0: no flush CQE is missing, or the SQ is not in ERR; DEVX_ETH_WAITING; or -errno of the
 * query of the state, not logged
 */
int devx_eth_txq_poll_flush(struct devx_eth_txq *txq);

#endif
