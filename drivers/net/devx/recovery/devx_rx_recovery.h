/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_RECOVERY_H
#define DEVX_ETH_RX_RECOVERY_H

#include "devx_rxq.h"

/**
 * devx_eth_rxq_recover - restart a BROKEN queue; under eth->lock
 *
 * Return: 0, DEVX_ETH_WAITING while flush CQEs are missing (devx_flush_wait.h), or -errno
 */
int devx_eth_rxq_recover(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_poll_flush - handle the CQEs of a queue that may be in ERR
 * @rxq: a queue that no burst uses and whose CQ has not failed
 *
 * Packets that no burst has taken count as lost. Under eth->lock.
 *
 * Return: 0 if no flush CQE is missing or the RQ is not in ERR; DEVX_ETH_WAITING; or -errno if the
 * query of the state failed, not logged
 */
int devx_eth_rxq_poll_flush(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_reset - put the RQ into RST, from any state; free the posted mbufs
 * @rxq: a queue that no burst uses
 *
 * Packets that no burst has taken count as lost. Under eth->lock.
 *
 * Return: 0; or -errno, and @rxq is unchanged.
 */
int devx_eth_rxq_reset(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_destroy_rq - destroy the RQ and free its mbufs, unless devx_eth_is_stuck()
 * @rxq: a queue that no burst uses; the RQ may be partly created or missing
 *
 * Packets that no burst has taken count as lost. Under eth->lock.
 */
void devx_eth_rxq_destroy_rq(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_ready - put the RQ of a stopped queue into RDY, without posting buffers
 * @rxq: a queue whose CQ has not failed
 *
 * Under eth->lock. Return: 0 or -errno, not logged.
 */
int devx_eth_rxq_ready(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_sync_vlan - make the RQ strip or keep VLAN tags, as rq_attr.keep_vlan says
 * @rxq: a queue whose RQ is in RDY
 *
 * The setting may have changed while the RQ was in another state. Under eth->lock.
 *
 * Return: 0, or as devx_rq_set_keep_vlan(), not logged.
 */
int devx_eth_rxq_sync_vlan(struct devx_eth_rxq *rxq);
/**
 * devx_eth_rxq_reserve_spare - allocate memory for the next CQ and RQ, if the queue has none
 * @rxq: a broken queue that needs a new CQ
 *
 * Context: the recovery timer, without eth->lock (devx_ring_memory.h).
 *
 * Return: 0 or -ENOMEM, not logged.
 */
int devx_eth_rxq_reserve_spare(struct devx_eth_rxq *rxq);

#endif
