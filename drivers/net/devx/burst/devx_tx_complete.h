/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_COMPLETE_H
#define DEVX_ETH_TX_COMPLETE_H

#include <stdint.h>

#include "devx_txq.h"
#include "prm/cqe.h"

/**
 * devx_eth_tx_complete_wqes - handle @cqe and all later CQEs, up to the first error CQE
 *
 * Frees the mbufs of the completed WQEs. An error CQE marks the queue as broken.
 */
void devx_eth_tx_complete_wqes(struct devx_eth_txq *txq, const struct prm_cqe *cqe);
/** devx_eth_tx_get_end_of_wqe - get sq.pi behind the completed WQE that starts at block @at */
uint16_t devx_eth_tx_get_end_of_wqe(const struct devx_eth_txq *txq, uint16_t at);
/**
 * devx_eth_tx_post_nop - post a NOP that requests a CQE
 * @txq: a queue with a free block
 *
 * The NOP takes a block and no elt. So n_elts leaves a block free until the next
 * devx_eth_tx_request_cqe(), or until the queue is reset.
 */
void devx_eth_tx_post_nop(struct devx_eth_txq *txq);
/**
 * devx_eth_tx_request_cqe - post a NOP that requests a CQE for the last packets, if none is pending
 *
 * Most WQEs request no CQE. The NOP makes the device report the packets after the last WQE that
 * does. Call this after all CQEs were handled; a later burst handles the CQE of the NOP.
 *
 * Context: data path; the thread that owns the queue, which has no unread error CQE.
 */
void devx_eth_tx_request_cqe(struct devx_eth_txq *txq);
/** devx_eth_tx_free_elts - free the mbufs of elts [tail, end) */
void devx_eth_tx_free_elts(struct devx_eth_txq *txq, uint16_t end);
/** devx_eth_tx_free_copied - free the mbufs of @n packets, at least 1, that WQEs contain */
void devx_eth_tx_free_copied(const struct devx_eth_txq *txq, struct rte_mbuf **m, unsigned int n);

#endif
