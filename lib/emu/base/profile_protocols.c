/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Capabilities of flow tables, Ethernet offloads, QoS and RoCE.
 */
#include "emu/base/profile.h"

#include "prm/prm.h"

/* clang-format off */
/* fields that receive tables match in the outer and in the inner headers */
#define LAYER_FIELDS(FIELD)                                                                        \
	FIELD(dmac) FIELD(smac) FIELD(ether_type) FIELD(first_prio) FIELD(first_cfi)               \
	FIELD(first_vid) FIELD(second_prio) FIELD(second_cfi) FIELD(second_vid) FIELD(sip)         \
	FIELD(dip) FIELD(frag) FIELD(ip_protocol) FIELD(ip_ecn) FIELD(ip_dscp) FIELD(udp_sport)    \
	FIELD(udp_dport) FIELD(tcp_sport) FIELD(tcp_dport) FIELD(tcp_flags)
/* clang-format on */

static void fill_match(const struct emu_profile *p, struct prm_flow_table_fields_supported *f)
{
#define OUTER(field) prm_set(f, outer_##field, 1);
#define INNER(field) prm_set(f, inner_##field, 1);
	LAYER_FIELDS(OUTER)
	LAYER_FIELDS(INNER)
	prm_set(f, outer_ip_version, 1);
	prm_set(f, inner_ip_version, p->options.inner_ip_version);
	prm_set(f, outer_ipv4_ttl, 1);
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

void emu_profile_fill_ethernet(const struct emu_profile *p,
			       struct prm_per_protocol_networking_offload_caps *c)
{
	prm_set(c, csum_cap, 1);
	prm_set(c, max_lso_cap, EMU_LOG_MAX_LSO);
	prm_set(c, tunnel_stateless_vxlan, 1);
	prm_set(c, tunnel_stateless_gre, 1);
	prm_set(c, tunnel_stateless_ip_over_ip, 1);
	prm_set(c, max_vxlan_udp_ports, EMU_VXLAN_PORTS);
	prm_set(c, vlan_cap, 1);
	prm_set(c, wqe_vlan_insert, 1);
	prm_set(c, scatter_fcs, 1);
	prm_set(c, multi_pkt_send_wqe, 1);
	prm_set(c, enhanced_multi_pkt_send_wqe, 1);
	prm_set(c, wqe_inline_mode,
		p->model.vport_inline ? PRM_ETH_CAP_WQE_INLINE_MODE_VPORT_CONTEXT
				      : PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED);
	prm_set(c, rss_ind_tbl_cap, p->log_max_rqt_size);
}

enum { RATE_MIN_KBPS = 1, RATE_MAX_KBPS = 100000000 };

/*
 * Rate limits of 1 kbit/s to 100 Gbit/s. Entry 0 of the 128 entries means "no limit".
 * Source: the QoS capabilities in the README of github.com/saeedtx/mlx5ctl; Linux,
 * mlx5_init_rl_table, and the line that it logs for a ConnectX-6 Dx in public reports.
 */
void emu_profile_fill_qos(const struct emu_profile *p, struct prm_qos_cap *c)
{
	prm_set(c, packet_pacing, 1);
	prm_set(c, packet_pacing_uid, 1);
	prm_set(c, packet_pacing_burst_bound, 1);
	prm_set(c, packet_pacing_typical_size, 1);
	prm_set(c, packet_pacing_min_rate, RATE_MIN_KBPS);
	prm_set(c, packet_pacing_max_rate, RATE_MAX_KBPS);
	prm_set(c, packet_pacing_rate_table_size, p->n_rates);
}

/*
 * These capabilities make Linux's mlx5_ib choose its RoCE profile, with GIDs, a GSI QP and an EQ
 * for page faults. Some calls work only then, among them ibv_reg_dmabuf_mr of Linux 7.2. emu has no
 * transport and refuses QPs of users. Capability pg (on-demand paging) only permits that EQ, and
 * mkeys with pg_access. The two RDMA_CTRL bits only make Linux 6.15 create the file
 * /dev/infiniband/mlx5_perm_ctrl_local.
 */
void emu_profile_fill_roce(struct emu_caps *caps)
{
	enum { UDP_PORT_V2 = 4791 };
	struct prm_cmd_hca_cap *c = &caps->general;
	struct prm_roce_cap *r = &caps->roce;

	prm_set(c, roce, 1);
	prm_set(c, pg, 1);
	prm_set(c, uctx_cap, PRM_UCTX_CAP_RAW_TX | PRM_UCTX_CAP_RDMA_CTRL);
	prm_set(&caps->general_2, general_obj_types_127_64,
		PRM_HCA_CAP_2_GENERAL_OBJECT_TYPES_RDMA_CTRL);
	prm_set(r, roce_version, PRM_ROCE_CAP_VERSION_1 | PRM_ROCE_CAP_VERSION_2);
	prm_set(r, l3_type, PRM_ROCE_CAP_L3_TYPE_IPV4 | PRM_ROCE_CAP_L3_TYPE_IPV6);
	prm_set(r, r_roce_dest_udp_port, UDP_PORT_V2);
	prm_set(r, r_roce_min_src_udp_port, 0xc000);
	prm_set(r, r_roce_max_src_udp_port, 0xffff);
	prm_set(r, roce_address_table_size, EMU_ROCE_ADDRESSES);
}
