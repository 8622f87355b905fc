/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TX_SLOW_PATH_H
#define DEVX_ETH_TX_SLOW_PATH_H

#include "devx_txq.h"
#include "prm/cqe.h"

/**
 * devx_eth_tx_refuse_packet - free a packet that cannot be sent, and count it by its reason
 *
 * Return: true, or false if the packet waits until its memory is registered.
 */
bool devx_eth_tx_refuse_packet(struct devx_eth_txq *txq, struct rte_mbuf *m);
/** devx_eth_txq_mark_broken - hand the queue to the recovery timer, with the error of @cqe */
void devx_eth_txq_mark_broken(struct devx_eth_txq *txq, const struct prm_cqe *cqe);
/**
 * devx_eth_tx_search_range - find the range of a packet in the table, and store it in @txq->range
 *
 * Return: false if [@addr, @addr + @bytes) is in no range
 */
bool devx_eth_tx_search_range(struct devx_eth_txq *txq, uint64_t addr, uint32_t bytes);

#endif
