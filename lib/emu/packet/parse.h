/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_PARSE_H
#define EMU_PACKET_PARSE_H

#include "emu/base/dev.h"
#include "emu/packet/frame.h"
#include "prm/cqe.h"

/** struct emu_headers - one set of headers; offsets count from the start of the frame */
struct emu_headers {
	bool ethernet; /* false: inner IP packet without an Ethernet header */
	bool vlan, frag, ip_ext;
	bool l4;             /* a complete TCP or UDP header is at l4_off */
	uint8_t l3, l4_type; /* PRM_CQE_L3_*, PRM_CQE_L4_* */
	uint8_t l4_proto;    /* IP protocol, 0 if not IP */
	uint16_t l2_off, l3_off, l4_off, payload_off, ip_end;
	uint16_t ethertype;       /* after the VLAN tags */
	uint16_t tpid[2], tci[2]; /* outer tag first; tpid 0: no such tag */

	/* set by emu_parse_sums() */
	bool ip_ok, l4_ok;
};

enum emu_tunnel { EMU_TUNNEL_NONE, EMU_TUNNEL_VXLAN, EMU_TUNNEL_GRE, EMU_TUNNEL_IP };

/**
 * struct emu_parsed - headers of a frame
 *
 *     plain     outer.................| payload
 *     tunnel    outer..| VXLAN or GRE | inner.................| payload
 *                      tunnel_off      inner.l2_off
 */
struct emu_parsed {
	struct emu_headers outer;
	uint8_t tunnel;           /* enum emu_tunnel */
	uint16_t tunnel_off;      /* offset of the VXLAN or GRE header */
	uint16_t sum;             /* check_sum of the CQE, set by emu_parse_sums() */
	struct emu_headers inner; /* valid only if tunnel is not EMU_TUNNEL_NONE */
};

/** emu_innermost - the headers in front of the payload */
static inline const struct emu_headers *emu_innermost(const struct emu_parsed *p)
{
	return p->tunnel ? &p->inner : &p->outer;
}

/**
 * emu_parse_frame - find the headers of a frame
 * @vxlan: UDP ports of VXLAN; NULL: find the outer headers only
 */
void emu_parse_frame(const struct emu_frame *f, const struct emu_vxlan *vxlan,
		     struct emu_parsed *p);
/**
 * emu_parse_template - find the headers of an LSO WQE
 * @f: the headers without payload
 *
 * Ignores the length fields of IP, which the device computes for each segment.
 */
void emu_parse_template(const struct emu_frame *f, const struct emu_vxlan *vxlan,
			struct emu_parsed *p);
/** emu_parse_sums - verify the IPv4, TCP and UDP checksums of a parsed frame */
void emu_parse_sums(const struct emu_frame *f, struct emu_parsed *p);

#endif
