/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Computes the dwords of a layer of fte_match_param for one set of headers.
 */
#include "emu/packet/match.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stddef.h>

#define SRC_DW EMU_FIELD_DW(EMU_LAYER, src_ipv4_src_ipv6)
#define DST_DW EMU_FIELD_DW(EMU_LAYER, dst_ipv4_dst_ipv6)

enum {
	IP_DWORDS = prm_ipv6_layout_bytes / 4,
	DMAC = 0,
	SMAC = 6,              /* offsets in an Ethernet header */
	IPV6_CLASS_SHIFT = 20, /* in the first dword: version, class, flow label */
	TCP_FLAGS = 12,        /* offset in TCP of the 16 bits with data offset and flags */
};

/* Returns dword @i of the four dwords for an address; an IPv4 address is in the last one. */
static uint32_t get_address_dword(const uint8_t *ip, const struct emu_headers *h, bool src,
				  unsigned i)
{
	if (h->l3 == PRM_CQE_L3_IPV4)
		return i < IP_DWORDS - 1
			       ? 0
			       : emu_match_be32(ip + (src ? offsetof(struct iphdr, saddr)
							  : offsetof(struct iphdr, daddr)));
	if (h->l3 == PRM_CQE_L3_IPV6)
		return emu_match_be32(ip +
				      (src ? offsetof(struct ip6_hdr, ip6_src)
					   : offsetof(struct ip6_hdr, ip6_dst)) +
				      4 * i);
	return 0;
}

/* Returns the dword with IP protocol, DSCP, ECN, tag types, fragment bit and TCP flags. */
static uint32_t get_ip_dword(const struct emu_frame *f, const struct emu_headers *h)
{
	const uint8_t *ip = f->data + h->l3_off;
	uint32_t v = EMU_FIELD_PUT(EMU_LAYER, cvlan_tag, h->tpid[0] == EMU_TPID_C) |
		     EMU_FIELD_PUT(EMU_LAYER, svlan_tag, h->tpid[0] == EMU_TPID_S);
	unsigned class = 0;

	if (h->l3 == PRM_CQE_L3_IPV4) {
		class = ip[offsetof(struct iphdr, tos)];
		v |= EMU_FIELD_PUT(EMU_LAYER, ip_version, IPVERSION);
	} else if (h->l3 == PRM_CQE_L3_IPV6) {
		class = (uint8_t)(emu_match_be32(ip) >> IPV6_CLASS_SHIFT);
		v |= EMU_FIELD_PUT(EMU_LAYER, ip_version, 6);
	}
	if (h->l4 && h->l4_proto == IPPROTO_TCP)
		v |= emu_match_be16(f->data + h->l4_off + TCP_FLAGS) &
		     EMU_FIELD_ONES(EMU_LAYER, tcp_flags);
	return v | EMU_FIELD_PUT(EMU_LAYER, ip_protocol, h->l4_proto) |
	       EMU_FIELD_PUT(EMU_LAYER, frag, h->frag) |
	       EMU_FIELD_PUT(EMU_LAYER, ip_dscp, class >> prm_width(EMU_LAYER, ip_ecn)) |
	       EMU_FIELD_PUT(EMU_LAYER, ip_ecn, class & EMU_FIELD_ONES(EMU_LAYER, ip_ecn));
}

/* Returns source and destination port of a frame of protocol @proto; 0 for other frames. */
static uint32_t get_ports_dword(const struct emu_frame *f, const struct emu_headers *h,
				uint8_t proto)
{
	return h->l4 && h->l4_proto == proto ? emu_match_be32(f->data + h->l4_off) : 0;
}

/* Returns the dword with ttl_hoplimit and ipv4_ihl. */
static uint32_t get_hops_dword(const struct emu_frame *f, const struct emu_headers *h)
{
	const uint8_t *ip = f->data + h->l3_off;

	if (h->l3 == PRM_CQE_L3_IPV4)
		return EMU_FIELD_PUT(EMU_LAYER, ttl_hoplimit, ip[offsetof(struct iphdr, ttl)]) |
		       EMU_FIELD_PUT(EMU_LAYER, ipv4_ihl, (h->l4_off - h->l3_off) / 4);
	if (h->l3 == PRM_CQE_L3_IPV6)
		return EMU_FIELD_PUT(EMU_LAYER, ttl_hoplimit,
				     ip[offsetof(struct ip6_hdr, ip6_hlim)]);
	return 0;
}

uint32_t emu_match_layer_dword(unsigned dw, const struct emu_frame *f, const struct emu_headers *h)
{
	const uint8_t *mac = f->data + h->l2_off;

	switch (dw) {
	case EMU_FIELD_DW(EMU_LAYER, smac_47_16):
		return h->ethernet ? emu_match_be32(mac + SMAC) : 0;
	case EMU_FIELD_DW(EMU_LAYER, smac_15_0):
		return (h->ethernet ? EMU_FIELD_PUT(EMU_LAYER, smac_15_0,
						    emu_match_be16(mac + SMAC + sizeof(uint32_t)))
				    : 0) |
		       EMU_FIELD_PUT(EMU_LAYER, ethertype, h->ethertype);
	case EMU_FIELD_DW(EMU_LAYER, dmac_47_16):
		return h->ethernet ? emu_match_be32(mac + DMAC) : 0;
	case EMU_FIELD_DW(EMU_LAYER, dmac_15_0):
		/* the low word has priority, CFI and VLAN ID, as in a tag */
		return (h->ethernet ? EMU_FIELD_PUT(EMU_LAYER, dmac_15_0,
						    emu_match_be16(mac + DMAC + sizeof(uint32_t)))
				    : 0) |
		       h->tci[0];
	case EMU_FIELD_DW(EMU_LAYER, ip_protocol):
		return get_ip_dword(f, h);
	case EMU_FIELD_DW(EMU_LAYER, tcp_sport):
		return get_ports_dword(f, h, IPPROTO_TCP);
	case EMU_FIELD_DW(EMU_LAYER, ttl_hoplimit):
		return get_hops_dword(f, h);
	case EMU_FIELD_DW(EMU_LAYER, udp_sport):
		return get_ports_dword(f, h, IPPROTO_UDP);
	case SRC_DW ... SRC_DW + IP_DWORDS - 1:
		return get_address_dword(f->data + h->l3_off, h, true, dw - SRC_DW);
	case DST_DW ... DST_DW + IP_DWORDS - 1:
		return get_address_dword(f->data + h->l3_off, h, false, dw - DST_DW);
	default:
		return 0;
	}
}
