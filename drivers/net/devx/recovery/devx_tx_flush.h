/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_FLUSH_H
#define DEVX_ETH_TX_FLUSH_H

#include "devx_txq.h"

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
