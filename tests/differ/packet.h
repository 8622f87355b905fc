/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_PACKET_H
#define DIFFER_PACKET_H

#include <rte_ethdev.h>

#include "frame.h"

/** struct packet - a row of packets.def */
struct packet {
	const char *frame, *requests, *segments;
};

/** packet_needs - Tx offloads of a queue that may send the packet */
uint64_t packet_needs(const struct packet *p);
/** packet_make - make the mbuf of a packet; @f is its frame. Return: NULL if the pool is empty */
struct rte_mbuf *packet_make(const struct packet *p, const struct frame *f,
			     struct rte_mempool *pool);
/**
 * packet_expect - make a frame that must appear on the wire
 * @nth: number of the frame; a packet for segmentation has several
 *
 * Return: its length in bytes; 0: the packet has no such frame
 */
uint32_t packet_expect(const struct packet *p, const struct frame *f, unsigned int nth,
		       uint8_t wire[FRAME_MAX]);

#endif
