/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UDP_FRAME_H
#define UDP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/** struct udp_frame - properties of a UDP frame */
struct udp_frame {
	bool v6, no_csum, bad_ip, bad_l4;
	uint16_t tci; /* VLAN tag; 0: no tag */
	uint8_t fill; /* every byte of the payload */
	uint16_t sport, dport;
};

/** udp_frame_write - write a frame of @bytes with properties @u, to the MAC of port 0 */
void udp_frame_write(uint8_t *frame, unsigned bytes, const struct udp_frame *u);

/** udp_frame_sum - one's complement sum of 16-bit big-endian words (RFC 1071) */
uint16_t udp_frame_sum(const uint8_t *p, unsigned bytes, uint32_t start);

#endif
