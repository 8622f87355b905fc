/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads from a frame the dwords of fte_match_param that steering compares with its rules.
 */
#include "emu/packet/match.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

#define PARAM ((const struct prm_fte_match_param *)0)
#define OUTER ((const struct prm_fte_match_set_lyr_2_4 *)0)
#define MISC ((const struct prm_fte_match_set_misc *)0)
#define MISC3 ((const struct prm_fte_match_set_misc3 *)0)
#define OUTER_DW (prm_bit(PARAM, outer_headers) / 32)
#define MISC_DW (prm_bit(PARAM, misc_parameters) / 32)
#define MISC3_DW (prm_bit(PARAM, misc_parameters_3) / 32)

/*
 * DW: index of the dword that has a field. PUT: a value, shifted to the place of the field.
 * ONES: the largest value of the field. ALL: all bits of the field, at its place.
 */
#define DW(part, field) (part##_DW + prm_bit(part, field) / 32)
#define PUT(part, field, v)                                                                        \
	((uint32_t)(v) << (32 - prm_bit(part, field) % 32 - prm_width(part, field)))
#define ONES(part, field) ((uint32_t)(UINT64_MAX >> (64 - prm_width(part, field))))
#define ALL(part, field) PUT(part, field, ONES(part, field))

#define SRC_DW (OUTER_DW + prm_bit(OUTER, src_ipv4_src_ipv6) / 32)
#define DST_DW (OUTER_DW + prm_bit(OUTER, dst_ipv4_dst_ipv6) / 32)

enum {
	IP_DWORDS = prm_ipv6_layout_bytes / 4,
	DMAC = 0,
	SMAC = 6,              /* offsets in an Ethernet header */
	IPV6_CLASS_SHIFT = 20, /* in the first dword: version, class, flow label */
	TCP_FLAGS = 12,        /* offset in TCP of the 16 bits with data offset and flags */
};

static uint16_t be16_at(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return ntohs(v);
}

static uint32_t be32_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

/* Returns dword @i of the four of an address; an IPv4 address is in the last one. */
static uint32_t get_address_dword(const uint8_t *ip, const struct emu_parsed *p, bool src,
				  unsigned i)
{
	if (p->l3 == PRM_CQE_L3_IPV4)
		return i < IP_DWORDS - 1 ? 0
					 : be32_at(ip + (src ? offsetof(struct iphdr, saddr)
							     : offsetof(struct iphdr, daddr)));
	if (p->l3 == PRM_CQE_L3_IPV6)
		return be32_at(ip +
			       (src ? offsetof(struct ip6_hdr, ip6_src)
				    : offsetof(struct ip6_hdr, ip6_dst)) +
			       4 * i);
	return 0;
}

/* Returns the dword with IP protocol, DSCP, ECN, tag types, fragment bit and TCP flags. */
static uint32_t get_ip_dword(const struct emu_frame *f, const struct emu_parsed *p)
{
	const uint8_t *ip = f->data + p->l3_off;
	uint32_t v = PUT(OUTER, cvlan_tag, p->tpid[0] == EMU_TPID_C) |
		     PUT(OUTER, svlan_tag, p->tpid[0] == EMU_TPID_S);
	unsigned class = 0;

	if (p->l3 == PRM_CQE_L3_IPV4) {
		class = ip[offsetof(struct iphdr, tos)];
		v |= PUT(OUTER, ip_version, IPVERSION);
	} else if (p->l3 == PRM_CQE_L3_IPV6) {
		class = (uint8_t)(be32_at(ip) >> IPV6_CLASS_SHIFT);
		v |= PUT(OUTER, ip_version, 6);
	}
	if (p->l4 && p->l4_proto == IPPROTO_TCP)
		v |= be16_at(f->data + p->l4_off + TCP_FLAGS) & ONES(OUTER, tcp_flags);
	return v | PUT(OUTER, ip_protocol, p->l4_proto) | PUT(OUTER, frag, p->frag) |
	       PUT(OUTER, ip_dscp, class >> prm_width(OUTER, ip_ecn)) |
	       PUT(OUTER, ip_ecn, class & ONES(OUTER, ip_ecn));
}

/* Returns the source and destination port if the frame is of @proto, else 0. */
static uint32_t get_ports_dword(const struct emu_frame *f, const struct emu_parsed *p,
				uint8_t proto)
{
	return p->l4 && p->l4_proto == proto ? be32_at(f->data + p->l4_off) : 0;
}

/* Returns the dword with ttl_hoplimit and ipv4_ihl. */
static uint32_t get_hops_dword(const struct emu_frame *f, const struct emu_parsed *p)
{
	const uint8_t *ip = f->data + p->l3_off;

	if (p->l3 == PRM_CQE_L3_IPV4)
		return PUT(OUTER, ttl_hoplimit, ip[offsetof(struct iphdr, ttl)]) |
		       PUT(OUTER, ipv4_ihl, (p->l4_off - p->l3_off) / 4);
	if (p->l3 == PRM_CQE_L3_IPV6)
		return PUT(OUTER, ttl_hoplimit, ip[offsetof(struct ip6_hdr, ip6_hlim)]);
	return 0;
}

static bool is_icmp(const struct emu_parsed *p, uint8_t l3, uint8_t proto)
{
	/* needs type and code; a fragment may have no ICMP header */
	return p->l3 == l3 && p->l4_proto == proto && !p->frag && p->ip_end - p->l4_off >= 2;
}

static uint32_t get_icmp_dword(const struct emu_frame *f, const struct emu_parsed *p)
{
	const uint8_t *l4 = f->data + p->l4_off;

	if (is_icmp(p, PRM_CQE_L3_IPV4, IPPROTO_ICMP))
		return PUT(MISC3, icmp_type, l4[0]) | PUT(MISC3, icmp_code, l4[1]);
	if (is_icmp(p, PRM_CQE_L3_IPV6, IPPROTO_ICMPV6))
		return PUT(MISC3, icmpv6_type, l4[0]) | PUT(MISC3, icmpv6_code, l4[1]);
	return 0;
}

uint32_t emu_match_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p)
{
	switch (dw) {
	case DW(OUTER, smac_47_16):
		return be32_at(f->data + SMAC);
	case DW(OUTER, smac_15_0):
		return PUT(OUTER, smac_15_0, be16_at(f->data + SMAC + sizeof(uint32_t))) |
		       PUT(OUTER, ethertype, p->ethertype);
	case DW(OUTER, dmac_47_16):
		return be32_at(f->data + DMAC);
	case DW(OUTER, dmac_15_0): /* the low word has priority, CFI and VLAN ID, as in a tag */
		return PUT(OUTER, dmac_15_0, be16_at(f->data + DMAC + sizeof(uint32_t))) |
		       p->tci[0];
	case DW(OUTER, ip_protocol):
		return get_ip_dword(f, p);
	case DW(OUTER, tcp_sport):
		return get_ports_dword(f, p, IPPROTO_TCP);
	case DW(OUTER, ttl_hoplimit):
		return get_hops_dword(f, p);
	case DW(OUTER, udp_sport):
		return get_ports_dword(f, p, IPPROTO_UDP);
	case SRC_DW ... SRC_DW + IP_DWORDS - 1:
		return get_address_dword(f->data + p->l3_off, p, true, dw - SRC_DW);
	case DST_DW ... DST_DW + IP_DWORDS - 1:
		return get_address_dword(f->data + p->l3_off, p, false, dw - DST_DW);
	case DW(MISC, outer_second_vid): /* the high word is the TCI of the second tag */
		return (uint32_t)p->tci[1] << 16;
	case DW(MISC, outer_second_cvlan_tag):
		return PUT(MISC, outer_second_cvlan_tag, p->tpid[1] == EMU_TPID_C) |
		       PUT(MISC, outer_second_svlan_tag, p->tpid[1] == EMU_TPID_S);
	case DW(MISC, outer_ipv6_flow_label):
		return p->l3 == PRM_CQE_L3_IPV6
			       ? be32_at(f->data + p->l3_off) & ONES(MISC, outer_ipv6_flow_label)
			       : 0;
	case DW(MISC3, icmp_type):
		return get_icmp_dword(f, p);
	default:
		return 0;
	}
}

bool emu_match_supported(unsigned dw, uint32_t mask)
{
	uint32_t known = 0;

	if (dw < MISC_DW) {
		/* every field of the outer headers; the command check refuses reserved bits */
		known = UINT32_MAX;
	} else if (dw == DW(MISC, outer_second_vid)) {
		known = ALL(MISC, outer_second_prio) | ALL(MISC, outer_second_cfi) |
			ALL(MISC, outer_second_vid);
	} else if (dw == DW(MISC, outer_second_cvlan_tag)) {
		known = ALL(MISC, outer_second_cvlan_tag) | ALL(MISC, outer_second_svlan_tag);
	} else if (dw == DW(MISC, outer_ipv6_flow_label)) {
		known = ALL(MISC, outer_ipv6_flow_label);
	} else if (dw == DW(MISC3, icmp_type)) {
		known = UINT32_MAX;
	}
	return !(mask & ~known);
}
