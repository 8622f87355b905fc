/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INLINE_RIG_H
#define INLINE_RIG_H

#include "burst/tx_frames.h"
#include "devx_txq.h"

/**
 * DOC: A port whose send queue copies packets into WQEs, for tests
 *
 * Packets have any length from 14 bytes on, and no layer 3. Every byte on the wire is compared.
 */

enum {
	INLINE_LEAST = RTE_ETHER_HDR_LEN,
	INLINE_ALIKE = 60,    /* bytes of a packet that takes a whole block */
	INLINE_LARGEST = 256, /* packets of a burst */
	INLINE_RING = 64,
	INLINE_BLOCKS = 2 * INLINE_RING, /* blocks in the ring of a queue that copies packets */
};

/**
 * struct inline_rig - a port
 * @rig: the port
 * @txq: its send queue
 * @state: of the random numbers
 * @seed: of the next packet
 */
struct inline_rig {
	struct port_rig rig;
	struct devx_eth_txq *txq;
	uint64_t state;
	uint32_t seed;
	uint8_t frame[TX_FRAMES_MAX];
};

/** inline_rig_start - probe the port with arguments, configure and start it */
void inline_rig_start(struct inline_rig *self, const char *args, uint16_t n_desc,
		      uint64_t offloads);
/** inline_rig_draw - get a number below @n */
uint32_t inline_rig_draw(struct inline_rig *self, uint32_t n);
/** inline_rig_fill_frame - make frame @seed, to the port itself */
void inline_rig_fill_frame(const struct inline_rig *self, uint8_t *frame, uint32_t n,
			   uint32_t seed);
/** inline_rig_make_packet - inline_rig_fill_frame() in an mbuf of the pool of the rig */
struct rte_mbuf *inline_rig_make_packet(struct inline_rig *self, uint32_t n, uint32_t seed);
/** inline_rig_expect - receive one frame, and expect it to be frame @seed */
void inline_rig_expect(struct inline_rig *self, uint32_t n, uint32_t seed);
/** inline_rig_exchange - send a burst of packets of these lengths, and expect all of them */
void inline_rig_exchange(struct inline_rig *self, const uint16_t *bytes, uint16_t n);
/** inline_rig_exchange_equal - inline_rig_exchange() with packets of one length */
void inline_rig_exchange_equal(struct inline_rig *self, uint16_t bytes, uint16_t n);

#endif
