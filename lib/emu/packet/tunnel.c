/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tunnel headers: VXLAN (RFC 7348), GRE (RFC 2784, 2890, 7637) and IP in IP (RFC 2003, 2473, 4213).
 * Their capabilities are tunnel_stateless_vxlan, _gre and _ip_over_ip.
 */
#include "emu/packet/tunnel.h"

enum {
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	VXLAN_HEADER = 8,
	GRE_HEADER = 4,
	GRE_WORD = 4, /* size of each optional field: checksum, key, sequence number */
	GRE_CSUM = 0x8000,
	GRE_ROUTING = 0x4000,
	GRE_KEY = 0x2000,
	GRE_SEQUENCE = 0x1000,
	GRE_VERSION = 0x0007,
};

static unsigned be16_at(const uint8_t *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

/*
 * PRM-MISSING: the parser treats each UDP packet to a VXLAN port as VXLAN, whatever its flag "VNI
 * is valid". (No source says that a device reads the flag. net_mlx5 matches the UDP port, and the
 * flag only if a rule names it: mlx5dr_definer_conv_item_vxlan.)
 */
static enum emu_tunnel find_vxlan(unsigned room, unsigned *header, uint16_t *type)
{
	*header = VXLAN_HEADER;
	*type = EMU_TUNNEL_ETHERNET;
	return VXLAN_HEADER + EMU_ETH_HEADER <= room ? EMU_TUNNEL_VXLAN : EMU_TUNNEL_NONE;
}

/*
 * PRM-MISSING: GRE with routing, with a version other than 0, or with another payload than
 * Ethernet, IPv4 or IPv6 is not a tunnel. (Linux's mlx5e offloads these three, and MPLS
 * with a separate capability, mlx5e_gre_tunnel_inner_proto_offload_supported.)
 */
static enum emu_tunnel find_gre(const uint8_t *gre, unsigned room, unsigned *header, uint16_t *type)
{
	unsigned flags;

	if (room < GRE_HEADER)
		return EMU_TUNNEL_NONE;
	flags = be16_at(gre);
	*type = (uint16_t)be16_at(gre + 2);
	*header = GRE_HEADER + (flags & GRE_CSUM ? GRE_WORD : 0) +
		  (flags & GRE_KEY ? GRE_WORD : 0) + (flags & GRE_SEQUENCE ? GRE_WORD : 0);
	if (flags & (GRE_ROUTING | GRE_VERSION))
		return EMU_TUNNEL_NONE;
	if (*type == EMU_TUNNEL_ETHERNET)
		return *header + EMU_ETH_HEADER <= room ? EMU_TUNNEL_GRE : EMU_TUNNEL_NONE;
	if (*type != TYPE_IPV4 && *type != TYPE_IPV6)
		return EMU_TUNNEL_NONE;
	return *header <= room ? EMU_TUNNEL_GRE : EMU_TUNNEL_NONE;
}

enum emu_tunnel emu_tunnel_find(const uint8_t *data, const struct emu_headers *outer,
				unsigned *start, uint16_t *type)
{
	const unsigned room = outer->ip_end - outer->payload_off;
	enum emu_tunnel tunnel = EMU_TUNNEL_NONE;
	unsigned header = 0;

	switch (outer->l4_proto) {
	case IPPROTO_UDP:
		tunnel = find_vxlan(room, &header, type);
		break;
	case IPPROTO_GRE:
		tunnel = find_gre(data + outer->l4_off, room, &header, type);
		break;
	case IPPROTO_IPIP:
	case IPPROTO_IPV6:
		*type = outer->l4_proto == IPPROTO_IPV6 ? TYPE_IPV6 : TYPE_IPV4;
		tunnel = EMU_TUNNEL_IP;
		break;
	default:
		break;
	}
	*start = outer->payload_off + header;
	return tunnel;
}

uint32_t emu_tunnel_gre_key(const uint8_t *data, const struct emu_parsed *p)
{
	const uint8_t *gre = data + p->tunnel_off;
	const unsigned flags = be16_at(gre);
	const uint8_t *key = gre + GRE_HEADER + (flags & GRE_CSUM ? GRE_WORD : 0);

	return flags & GRE_KEY ? (uint32_t)be16_at(key) << 16 | be16_at(key + 2) : 0;
}
