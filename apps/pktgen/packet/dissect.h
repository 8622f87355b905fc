/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_DISSECT_H
#define PKTGEN_DISSECT_H

#include "packet/stack.h"

/**
 * DOC: Headers of a received frame
 *
 * A frame may come back with other headers than it was sent with. These functions find the headers
 * by the numbers of their protocols, with the table of all headers (header_kinds). They read only
 * the bytes they are given.
 */

/**
 * struct dissected - a header that was found
 * @offset, @bytes: its place in the frame; options and optional parts are included
 * @absent: its absent optional parts: bit 0 for the first part
 */
struct dissected {
	const struct header_kind *kind;
	uint16_t offset, bytes;
	uint8_t absent;
};

/**
 * struct dissection - the headers of a frame, outermost first
 * @bytes: their total length
 * @rest: bytes after them that belong to no known header
 * @is_broken: a header contradicts itself, as an IPv4 header with version 5
 */
struct dissection {
	unsigned n;
	uint32_t bytes, rest;
	bool is_broken;
	struct dissected headers[STACK_MAX_HEADERS];
};

/**
 * dissect_frame - find the headers of a frame
 * @d: receives the headers
 * @frame: the frame; it begins with an Ethernet header
 * @bytes: length of all headers, which is known; at most UINT16_MAX
 */
void dissect_frame(struct dissection *d, const uint8_t *frame, uint32_t bytes);

/**
 * dissect_get_field - read a field of a header
 * @h: the header, of @frame
 * @field: one of the fields of its kind
 * @value: receives the value
 *
 * Return: whether the header has the field: false for one in an absent optional part
 */
bool dissect_get_field(const struct dissected *h, const struct header_field *field,
		       const uint8_t *frame, pattern_value *value);

/** dissect_is_fragment - find out whether an IP header says that the frame is a part of a packet */
bool dissect_is_fragment(const struct dissection *d, const uint8_t *frame);

/**
 * dissect_has_right_sum - verify the checksum of a header
 * @d: from dissect_frame() for @frame
 * @i: index of the header
 * @frame, @bytes: the frame, without FCS. Padding counts, because that of a packet in a tunnel is
 *   part of the outer packet
 *
 * Return: false if the checksum is wrong, or if a length field points beyond the frame. True if
 * the header has none, or one of 0 in UDP over IPv4, which means none (RFC 768)
 */
bool dissect_has_right_sum(const struct dissection *d, unsigned i, const uint8_t *frame,
			   uint32_t bytes);

#endif
