/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FLUSH_WAIT_H
#define DEVX_ETH_FLUSH_WAIT_H

#include "devx_flush.h"
#include "devx_txq.h"

/**
 * DOC: The wait for flush CQEs
 *
 * In ERR the device writes an error CQE, a flush CQE, for each WQE that it does not execute. If it
 * wrote one after the reset, this CQE would look like that of a new WQE. The driver therefore waits
 * for the CQE of the last WQE before it resets a queue in ERR, as Linux does
 * (mlx5e_tx_reporter_err_cqe_recover):
 *
 *     Rx               each posted WQE gets a CQE
 *     Tx, generator    a WQE that requests no CQE may get none. Then a NOP that requests one
 *                      follows the last WQE, as in mlx5_ib_drain_sq of Linux
 *
 * The recovery timer checks once per period, for up to devx_eth_flush_periods periods. The stop of
 * a queue waits as long as it does for unsent packets. If the CQ failed, the timer does not wait.
 *
 * If the wait times out, the CQE may still come later. The recovery timer then gives the queue a
 * new CQ and a new SQ or RQ, as after an error of the CQ. A stopped queue gets them at its start.
 */

/** DEVX_ETH_WAITING - result of a recovery: flush CQEs are missing, the next period looks again */
enum { DEVX_ETH_WAITING = 1 };

/** devx_eth_flush_periods - longest wait of the recovery timer: 400 periods, except in tests */
extern unsigned int devx_eth_flush_periods;

/**
 * devx_eth_flush_give_up - end a wait that timed out: mark it as overdue, and log it
 * @queue: format of the name of the queue, such as "Tx queue %u"
 */
void devx_eth_flush_give_up(struct devx_eth *eth, struct devx_eth_flush *flush, const char *queue,
			    ...) __attribute__((format(printf, 3, 4)));
/**
 * devx_eth_txq_poll_flush - handle the CQEs of a queue that may be in ERR
 * @txq: a queue that no burst uses and whose CQ has not failed
 *
 * From the first call until the next reset, @txq->flush.first is the first lost elt.
 *
 * Return: 0 if no flush CQE is missing or the SQ is not in ERR; DEVX_ETH_WAITING; or -errno if the
 * query of the state failed, not logged
 */
int devx_eth_txq_poll_flush(struct devx_eth_txq *txq);

#endif
