/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UDP_FRAME_H
#define UDP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/** struct udp_frame - what to put into a UDP frame */
struct udp_frame {
	bool v6, no_csum, bad_ip, bad_l4;
	uint16_t tci; /* with a tag if not 0 */
	uint8_t fill; /* of the payload */
	uint16_t sport, dport;
};

/** udp_frame_write - write a frame of @bytes to the port's MAC; checksums right unless told */
void udp_frame_write(uint8_t *frame, unsigned bytes, const struct udp_frame *u);

/** udp_frame_sum - one's complement sum of 16-bit big-endian words, as RFC 1071 words it */
uint16_t udp_frame_sum(const uint8_t *p, unsigned bytes, uint32_t start);

#endif
