/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_SEGMENT_H
#define EMU_PACKET_SEGMENT_H

#include "emu/packet/parse.h"

enum { EMU_HEADERS_MAX = 256 };

/** struct emu_template - headers of an LSO WQE, from which those of each segment are made */
struct emu_template {
	uint8_t headers[EMU_HEADERS_MAX];
	uint32_t header_bytes, mss;
	struct emu_parsed parsed;
};

/**
 * emu_template_parse - fill @t->parsed; the caller has set the other members
 *
 * Return: NULL, or the reason why the device cannot segment the packet
 */
const char *emu_template_parse(struct emu_template *t, const struct emu_vxlan *vxlan);

/**
 * emu_segment_write - write the headers of segment @i to @at
 * @bytes: length of its payload
 * @last: whether it is the last segment
 *
 * Sets lengths, IPv4 identifications, TCP sequence number and flags, but no checksums.
 */
void emu_segment_write(const struct emu_template *t, uint8_t *at, uint32_t i, uint32_t bytes,
		       bool last);

#endif
