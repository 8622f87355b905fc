/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_SLOW_PATH_H
#define DEVX_ETH_RX_SLOW_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_rxq.h"
#include "prm/cqe.h"

/**
 * devx_eth_rx_skip_packet - handle an error CQE, unless the queue needs a reset
 *
 * A frame longer than its buffers needs none, for example. Frees @m, unless a WQE has several
 * buffers: then all of them stay in the ring.
 *
 * Return: true if it counted the frame, or false if the queue needs a reset.
 */
bool devx_eth_rx_skip_packet(struct devx_eth_rxq *rxq, struct rte_mbuf *m,
			     const struct prm_cqe *cqe);
/** devx_eth_rxq_mark_broken - hand the queue to the recovery timer, with the error of @cqe */
void devx_eth_rxq_mark_broken(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe);
/**
 * devx_eth_rx_take_remaining - take up to @n mbufs from a pool that has fewer
 *
 * Counts the missing mbufs in no_mbuf, once per shortage.
 *
 * Return: number of mbufs taken.
 */
uint32_t devx_eth_rx_take_remaining(struct devx_eth_rxq *rxq, struct rte_mbuf **m, uint32_t n);
/**
 * devx_eth_rx_gather_fcs - complete the frame check sequence after the last byte of a packet
 * @slot: buffers of the WQE
 * @n: number of mbufs of the packet, from the first slot on
 *
 * If the sequence continues in the next buffer, copies the remainder into the spare bytes after the
 * last buffer of the packet. The next buffer stays in the ring. If the CPU cannot access the
 * buffers (@rxq->unreadable), the remainder is left out.
 */
void devx_eth_rx_gather_fcs(const struct devx_eth_rxq *rxq, struct rte_mbuf *const *slot,
			    unsigned int n);

#endif
