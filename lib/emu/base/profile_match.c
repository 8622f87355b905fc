/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/caps.h"
#include "emu/base/dev.h"
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

static void fill_inner(const struct emu_profile *p, struct prm_flow_table_fields_supported *f)
{
	prm_set(f, inner_dmac, 1);
	prm_set(f, inner_smac, 1);
	prm_set(f, inner_ether_type, 1);
	prm_set(f, inner_ip_version, p->options.inner_ip_version);
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

static void fill_match(const struct emu_profile *p, struct prm_flow_table_fields_supported *f)
{
	fill_outer(f);
	fill_inner(p, f);
	prm_set(f, outer_gre_protocol, 1);
	prm_set(f, outer_gre_key, 1);
	prm_set(f, outer_vxlan_vni, 1);
}

void emu_profile_fill_flow_tables(const struct emu_profile *p, struct prm_flow_table_nic_cap *c)
{
	struct prm_flow_table_prop_layout *rx = prm_sub(c, flow_table_properties_nic_receive);

	prm_set(rx, ft_support, 1);
	prm_set(rx, flow_counter, 1);
	prm_set(rx, flow_modify_en, 1);
	prm_set(rx, modify_root, 1);
	prm_set(rx, identified_miss_table_mode, 1);
	prm_set(rx, flow_table_modify, 1);
	prm_set(rx, log_max_ft_size, p->log_max_ft_size);
	prm_set(rx, max_ft_level, p->max_ft_level);
	prm_set(rx, log_max_ft_num, emu_profile_log2(p->limit[EMU_FLOW_TABLE]));
	prm_set(rx, log_max_flow_counter, 0);
	prm_set(rx, log_max_destination, emu_profile_log2(EMU_MAX_DESTS));
	prm_set(rx, log_max_flow, p->log_max_ft_size);
	prm_set(c, nic_rx_multi_path_tirs, 1);
	fill_match(p, prm_sub(rx, ft_field_support));
	fill_match(p, prm_sub(rx, ft_field_bitmask_support));
}
