/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/profile.h"
#include "prm/prm.h"

static void fill_outer(struct prm_flow_table_fields_supported *f)
{
	prm_set(f, outer_dmac, 1);
	prm_set(f, outer_smac, 1);
	prm_set(f, outer_ether_type, 1);
	prm_set(f, outer_ip_version, 1);
	prm_set(f, outer_first_prio, 1);
	prm_set(f, outer_first_cfi, 1);
	prm_set(f, outer_first_vid, 1);
	prm_set(f, outer_second_prio, 1);
	prm_set(f, outer_second_cfi, 1);
	prm_set(f, outer_second_vid, 1);
	prm_set(f, outer_sip, 1);
	prm_set(f, outer_dip, 1);
	prm_set(f, outer_frag, 1);
	prm_set(f, outer_ip_protocol, 1);
	prm_set(f, outer_ip_ecn, 1);
	prm_set(f, outer_ip_dscp, 1);
	prm_set(f, outer_udp_sport, 1);
	prm_set(f, outer_udp_dport, 1);
	prm_set(f, outer_tcp_sport, 1);
	prm_set(f, outer_tcp_dport, 1);
	prm_set(f, outer_tcp_flags, 1);
	prm_set(f, outer_ipv4_ttl, 1);
}

static void fill_inner(struct prm_flow_table_fields_supported *f)
{
	prm_set(f, inner_dmac, 1);
	prm_set(f, inner_smac, 1);
	prm_set(f, inner_ether_type, 1);
	prm_set(f, inner_ip_version, 1);
	prm_set(f, inner_first_prio, 1);
	prm_set(f, inner_first_cfi, 1);
	prm_set(f, inner_first_vid, 1);
	prm_set(f, inner_second_prio, 1);
	prm_set(f, inner_second_cfi, 1);
	prm_set(f, inner_second_vid, 1);
	prm_set(f, inner_sip, 1);
	prm_set(f, inner_dip, 1);
	prm_set(f, inner_frag, 1);
	prm_set(f, inner_ip_protocol, 1);
	prm_set(f, inner_ip_ecn, 1);
	prm_set(f, inner_ip_dscp, 1);
	prm_set(f, inner_udp_sport, 1);
	prm_set(f, inner_udp_dport, 1);
	prm_set(f, inner_tcp_sport, 1);
	prm_set(f, inner_tcp_dport, 1);
	prm_set(f, inner_tcp_flags, 1);
}

void emu_profile_fill_match(struct prm_flow_table_fields_supported *f)
{
	fill_outer(f);
	fill_inner(f);
	prm_set(f, outer_gre_protocol, 1);
	prm_set(f, outer_gre_key, 1);
	prm_set(f, outer_vxlan_vni, 1);
}
