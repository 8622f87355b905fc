/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_PARSE_H
#define EMU_PACKET_PARSE_H

#include <stdbool.h>

#include "emu/packet/frame.h"
#include "prm/cqe.h"

/** struct emu_parsed - headers of a frame; offsets count from the start of the frame */
struct emu_parsed {
	bool vlan, frag, ip_ext;
	bool l4;             /* a whole TCP or UDP header is at l4_off */
	uint8_t l3, l4_type; /* PRM_CQE_L3_*, PRM_CQE_L4_* */
	uint8_t l4_proto;    /* IP protocol, 0 if not IP */
	uint16_t l3_off, l4_off, payload_off, ip_end;
	uint16_t ethertype;       /* the one after the VLAN tags */
	uint16_t tpid[2], tci[2]; /* outer tag first; tpid 0: the frame has no such tag */

	/* set by emu_parse_sums() */
	bool ip_ok, l4_ok;
	uint16_t sum; /* check_sum of the CQE */
};

/** emu_parse_frame - find the outer headers; the inner headers of a tunnel count as payload */
void emu_parse_frame(const struct emu_frame *f, struct emu_parsed *p);
/** emu_parse_sums - verify the IPv4, TCP and UDP checksums of a parsed frame */
void emu_parse_sums(const struct emu_frame *f, struct emu_parsed *p);

#endif
