/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_GROUP_H
#define DEVX_ETH_RX_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_prefetch.h>

#include "burst/devx_rx_variants.h"
#include "devx/barrier.h"
#include "devx_rxq.h"
#include "prm/cqe.h"

/**
 * DOC: Groups of packets, for vector instructions of any processor
 *
 * For each kind of vector instructions (devx_rx_vec_x86.h; NEON would be the next) one function
 * receives packets in groups:
 *
 *     all CQEs of a group are new and of ordinary packets?   one comparison, devx_eth_rx_is_group()
 *     for each packet: CQE -> mbuf                           three stores, one more for a timestamp
 *
 * It stops at the first group that is not ordinary; the template handles these CQEs one by one.
 */

/* packets of a group */
enum { DEVX_ETH_RX_GROUP = 4 };

/**
 * struct devx_eth_rx_fixed - fields of a queue that each packet of a burst needs
 *
 * A burst copies them into registers. Otherwise the compiler would load them after each barrier.
 */
struct devx_eth_rx_fixed {
	const struct devx_eth_types *types;
	uint64_t rearm, ol_flags, ts_flag;
	uint32_t csum_flags;
	int ts_offset;
	uint8_t crc_bytes;
	bool real_time;
};

static __rte_always_inline struct devx_eth_rx_fixed
devx_eth_rx_load_fixed(const struct devx_eth_rxq *rxq, const unsigned int flags)
{
	const bool fields = flags & DEVX_ETH_RX_FIELDS;

	return (struct devx_eth_rx_fixed){
		.types = rxq->types,
		.rearm = rxq->rearm,
		.ol_flags = rxq->ol_flags,
		.csum_flags = rxq->csum_flags,
		.ts_flag = fields ? rxq->ts_flag : 0,
		.ts_offset = fields ? rxq->ts_offset : 0,
		.crc_bytes = fields ? rxq->crc_bytes : 0,
		.real_time = fields && rxq->real_time,
	};
}

/**
 * devx_eth_rx_take_groups_t - receive whole groups of ordinary packets
 * @cqe: the oldest unread CQE, followed by newer ones
 * @op_own: op_own of a new CQE of a packet, in this pass over the ring
 * @slot: mbufs of these CQEs
 * @pkts: receives the mbufs
 * @n: number of contiguous CQEs, mbufs and elements of @pkts
 * @bytes: the function adds the bytes of the packets
 * @flags: constant flags of the variant
 *
 * Return: number of received packets.
 */
typedef uint16_t (*devx_eth_rx_take_groups_t)(const struct devx_eth_rx_fixed *fixed,
					      const struct prm_cqe *cqe, uint8_t op_own,
					      struct rte_mbuf **slot, struct rte_mbuf **pkts,
					      uint16_t n, uint64_t *bytes,
					      const unsigned int flags);

/*
 * Returns whether all CQEs of a group are new and of ordinary packets. Reads only op_own. The
 * barrier follows the last owner bit, so the caller may read the other fields afterwards.
 */
static __rte_always_inline bool devx_eth_rx_is_group(const struct prm_cqe *cqe, uint8_t op_own)
{
	uint8_t differ = 0;

	for (unsigned int i = 0; i < DEVX_ETH_RX_GROUP; i++)
		differ |= *(const volatile uint8_t *)&cqe[i].op_own ^ op_own;
	devx_from_device_barrier();
	return !differ;
}

#endif
