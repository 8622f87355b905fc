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
/** devx_eth_tx_free_elts - free the mbufs of elts [tail, end) */
void devx_eth_tx_free_elts(struct devx_eth_txq *txq, uint16_t end);

#endif
