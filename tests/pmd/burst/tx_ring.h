/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TX_RING_H
#define TX_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_txq.h"
#include "port_rig.h"

/**
 * DOC: A send queue of numbered packets, for every send function
 *
 * tx_variants has a row for each function: the arguments and offloads that select it. The number
 * of a packet determines its length, bytes and requests. Its mbufs come from a pool of the ring,
 * which has no cache. So the test knows at any time how many mbufs the driver keeps. It keeps none
 * of a packet that its WQE contains.
 */

enum { TX_N_VARIANTS = 15, TX_RING_POOL = 200, TX_RING_MAX = 64 };

/** struct tx_variant - a send function; @mode: text of its burst mode; NULL: any */
struct tx_variant {
	const char *name, *args;
	uint64_t offloads;
	const char *mode;
};
extern const struct tx_variant tx_variants[TX_N_VARIANTS];

/** tx_variant_start - probe the port again with the arguments of @v, and start it */
struct devx_eth_txq *tx_variant_start(struct port_rig *rig, const struct tx_variant *v,
				      uint16_t n_desc);

/**
 * struct tx_ring - the queue
 * @least: length of the shortest packet
 * @posted: number of the next packet
 * @received: number of the first packet that has not arrived
 * @m: first mbufs of the packets of the last burst
 */
struct tx_ring {
	struct port_rig *rig;
	const struct tx_variant *v;
	struct devx_eth_txq *txq;
	struct rte_mempool *pool;
	uint32_t least, posted, received;
	struct rte_mbuf *m[TX_RING_MAX];
};

/** tx_ring_open - create the pool and start the port; ends the test on failure */
void tx_ring_open(struct tx_ring *ring, struct port_rig *rig, const struct tx_variant *v,
		  uint16_t n_desc);
/** tx_ring_close - stop the port and free the pool; every mbuf must be back, once */
void tx_ring_close(struct tx_ring *ring);
/** tx_ring_count_segs - get the number of mbufs of packet @number */
uint16_t tx_ring_count_segs(const struct tx_ring *ring, uint32_t number);
/**
 * tx_ring_count_used - get the number of segments in the ring
 *
 * Expects all mbufs to be in the pool except those of the ring.
 */
uint32_t tx_ring_count_used(const struct tx_ring *ring);
/**
 * tx_ring_post - send a burst of @n packets, at most TX_RING_MAX, and free those not taken
 *
 * Return: number of packets that the driver took
 */
uint16_t tx_ring_post(struct tx_ring *ring, uint16_t n);
/** tx_ring_poll - send a burst of no packet, which handles CQEs */
void tx_ring_poll(struct tx_ring *ring);
/** tx_ring_receive - receive packets until number @end, and expect every byte of them */
void tx_ring_receive(struct tx_ring *ring, uint32_t end);
/** tx_ring_exchange - post @n packets one burst after the other, and receive them */
void tx_ring_exchange(struct tx_ring *ring, uint32_t n);
/** tx_ring_get_seg - get segment @i of the WQE at @block; the WQE may cross the end of the ring */
struct prm_data_seg *tx_ring_get_seg(const struct tx_ring *ring, uint16_t block, unsigned int i);
/** tx_ring_count_entry_ds - get the number of segments of an entry, pointer or packet, at @seg */
unsigned int tx_ring_count_entry_ds(const struct prm_data_seg *seg);
/** tx_ring_count_packets - get the number of packets of the WQE at @block */
uint32_t tx_ring_count_packets(const struct tx_ring *ring, uint16_t block);
/** tx_ring_get_entry - get the entry of packet @n of the WQE at @block; a SEND has one entry */
struct prm_data_seg *tx_ring_get_entry(const struct tx_ring *ring, uint16_t block, uint32_t n);
/** tx_ring_is_copied - tell whether the WQE at @block contains its packet @n */
bool tx_ring_is_copied(const struct tx_ring *ring, uint16_t block, uint32_t n);

#endif
