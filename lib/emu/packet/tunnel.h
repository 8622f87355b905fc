/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_TUNNEL_H
#define EMU_PACKET_TUNNEL_H

#include <netinet/in.h>

#include "emu/packet/parse.h"

enum { EMU_TUNNEL_ETHERNET = 0x6558 }; /* GRE protocol type of an Ethernet frame */

/** emu_tunnel_is_vxlan - whether UDP packets to @port (host-endian) are VXLAN */
static inline bool emu_tunnel_is_vxlan(const struct emu_vxlan *vxlan, unsigned port)
{
	for (unsigned i = 0; i < vxlan->n; i++)
		if (vxlan->port[i] == port)
			return true;
	return false;
}

/** emu_tunnel_may_start - whether the protocol behind the outer IP header can be a tunnel */
static inline bool emu_tunnel_may_start(const uint8_t *data, const struct emu_headers *outer,
					const struct emu_vxlan *vxlan)
{
	const uint8_t *dport = data + outer->l4_off + sizeof(in_port_t);

	if (outer->l4) /* TCP or UDP: most frames end here */
		return outer->l4_proto == IPPROTO_UDP &&
		       emu_tunnel_is_vxlan(vxlan, (unsigned)dport[0] << 8 | dport[1]);
	return !outer->frag && (outer->l4_proto == IPPROTO_GRE || outer->l4_proto == IPPROTO_IPIP ||
				outer->l4_proto == IPPROTO_IPV6);
}

/**
 * emu_tunnel_find - find the tunnel header of a frame, after emu_tunnel_may_start() returned true
 * @start: receives the offset of the inner packet
 * @type: receives the type of the inner packet: EMU_TUNNEL_ETHERNET, or an EtherType of IP
 *
 * Return: the tunnel; EMU_TUNNEL_NONE if there is none, or if its header is truncated
 */
enum emu_tunnel emu_tunnel_find(const uint8_t *data, const struct emu_headers *outer,
				unsigned *start, uint16_t *type);

/** emu_tunnel_gre_key - key of a parsed GRE header, or 0 without a key */
uint32_t emu_tunnel_gre_key(const uint8_t *data, const struct emu_parsed *p);

#endif
