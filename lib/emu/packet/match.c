/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Computes the dwords of fte_match_param for a frame; steering compares them with its rules.
 */
#include "emu/packet/match.h"

#include <netinet/in.h>

#include "emu/packet/tunnel.h"

#define PARAM ((const struct prm_fte_match_param *)0)
#define MISC ((const struct prm_fte_match_set_misc *)0)
#define MISC3 ((const struct prm_fte_match_set_misc3 *)0)
#define OUTER_DW EMU_FIELD_DW(PARAM, outer_headers)
#define INNER_DW EMU_FIELD_DW(PARAM, inner_headers)
#define MISC_DW EMU_FIELD_DW(PARAM, misc_parameters)
#define MISC3_DW EMU_FIELD_DW(PARAM, misc_parameters_3)

/* DW: index in fte_match_param of the dword that contains a field */
#define DW(part, field) (part##_DW + EMU_FIELD_DW(part, field))
#define PUT EMU_FIELD_PUT
#define ALL EMU_FIELD_ALL

/* these bits have the same places in a GRE header and in the match */
#define GRE_BITS (ALL(MISC, gre_c_present) | ALL(MISC, gre_k_present) | ALL(MISC, gre_s_present))

static bool is_icmp(const struct emu_headers *h, uint8_t l3, uint8_t proto)
{
	/* must contain type and code; a fragment may have no ICMP header */
	return h->l3 == l3 && h->l4_proto == proto && !h->frag && h->ip_end - h->l4_off >= 2;
}

static uint32_t get_icmp_dword(const struct emu_frame *f, const struct emu_headers *h)
{
	const uint8_t *l4 = f->data + h->l4_off;

	if (is_icmp(h, PRM_CQE_L3_IPV4, IPPROTO_ICMP))
		return PUT(MISC3, icmp_type, l4[0]) | PUT(MISC3, icmp_code, l4[1]);
	if (is_icmp(h, PRM_CQE_L3_IPV6, IPPROTO_ICMPV6))
		return PUT(MISC3, icmpv6_type, l4[0]) | PUT(MISC3, icmpv6_code, l4[1]);
	return 0;
}

static uint32_t get_flow_label(const struct emu_frame *f, const struct emu_headers *h)
{
	return h->l3 == PRM_CQE_L3_IPV6 ? emu_match_be32(f->data + h->l3_off) &
						  EMU_FIELD_ONES(MISC, outer_ipv6_flow_label)
					: 0;
}

/* Returns a dword with fields of the tunnel header or of the inner headers. */
static uint32_t get_tunnel_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p)
{
	const uint8_t *tunnel = f->data + p->tunnel_off;
	const bool gre = p->tunnel == EMU_TUNNEL_GRE;

	switch (dw) {
	case DW(MISC, gre_c_present):
		return gre ? emu_match_be32(tunnel) & GRE_BITS : 0;
	case DW(MISC, outer_second_vid):
		return p->inner.tci[1];
	case DW(MISC, outer_second_cvlan_tag):
		return PUT(MISC, inner_second_cvlan_tag, p->inner.tpid[1] == EMU_TPID_C) |
		       PUT(MISC, inner_second_svlan_tag, p->inner.tpid[1] == EMU_TPID_S) |
		       PUT(MISC, gre_protocol, gre ? emu_match_be16(tunnel + sizeof(uint16_t)) : 0);
	case DW(MISC, gre_key):
		return gre ? emu_tunnel_gre_key(f->data, p) : 0;
	case DW(MISC, vxlan_vni):
		return p->tunnel == EMU_TUNNEL_VXLAN
			       ? emu_match_be32(tunnel + sizeof(uint32_t)) & ALL(MISC, vxlan_vni)
			       : 0;
	case DW(MISC, inner_ipv6_flow_label):
		return get_flow_label(f, &p->inner);
	case INNER_DW ... INNER_DW + EMU_LAYER_DWORDS - 1:
		return emu_match_layer_dword(dw - INNER_DW, f, &p->inner);
	default:
		return 0;
	}
}

static uint32_t get_outer_dword(unsigned dw, const struct emu_frame *f, const struct emu_headers *h)
{
	switch (dw) {
	case OUTER_DW ... OUTER_DW + EMU_LAYER_DWORDS - 1:
		return emu_match_layer_dword(dw - OUTER_DW, f, h);
	case DW(MISC, outer_second_vid): /* the high word is the TCI of the second tag */
		return (uint32_t)h->tci[1] << 16;
	case DW(MISC, outer_second_cvlan_tag):
		return PUT(MISC, outer_second_cvlan_tag, h->tpid[1] == EMU_TPID_C) |
		       PUT(MISC, outer_second_svlan_tag, h->tpid[1] == EMU_TPID_S);
	case DW(MISC, outer_ipv6_flow_label):
		return get_flow_label(f, h);
	case DW(MISC3, icmp_type):
		return get_icmp_dword(f, h);
	default:
		return 0;
	}
}

/*
 * PRM-MISSING: without a tunnel, all fields of inner headers and of tunnel headers are 0. (net_mlx5
 * matches a VNI together with the UDP port, flow_dv_translate_item_vxlan. Linux's rules for inner
 * headers are behind rules for tunnel protocols, mlx5_generate_ttc_table_rules.)
 */
uint32_t emu_match_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p)
{
	return get_outer_dword(dw, f, &p->outer) | (p->tunnel ? get_tunnel_dword(dw, f, p) : 0);
}

bool emu_match_supported(unsigned dw, uint32_t mask)
{
	uint32_t known = 0;

	if (dw < MISC_DW || (dw >= INNER_DW && dw < INNER_DW + EMU_LAYER_DWORDS) ||
	    dw == DW(MISC, gre_key) || dw == DW(MISC3, icmp_type)) {
		known = UINT32_MAX; /* the command check refuses reserved bits */
	} else if (dw == DW(MISC, gre_c_present)) {
		known = GRE_BITS;
	} else if (dw == DW(MISC, outer_second_vid)) {
		known = ALL(MISC, outer_second_prio) | ALL(MISC, outer_second_cfi) |
			ALL(MISC, outer_second_vid) | ALL(MISC, inner_second_prio) |
			ALL(MISC, inner_second_cfi) | ALL(MISC, inner_second_vid);
	} else if (dw == DW(MISC, outer_second_cvlan_tag)) {
		known = ALL(MISC, outer_second_cvlan_tag) | ALL(MISC, outer_second_svlan_tag) |
			ALL(MISC, inner_second_cvlan_tag) | ALL(MISC, inner_second_svlan_tag) |
			ALL(MISC, gre_protocol);
	} else if (dw == DW(MISC, vxlan_vni)) {
		known = ALL(MISC, vxlan_vni);
	} else if (dw == DW(MISC, outer_ipv6_flow_label)) {
		known = ALL(MISC, outer_ipv6_flow_label);
	} else if (dw == DW(MISC, inner_ipv6_flow_label)) {
		known = ALL(MISC, inner_ipv6_flow_label);
	}
	return !(mask & ~known);
}
