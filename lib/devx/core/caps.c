/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx/cmd.h"
#include "devx/core/dev_parts.h"
#include "devx/dev.h"
#include "prm/prm.h"

static int query_page(struct devx_dev *dev, enum prm_hca_cap_page page,
		      struct prm_query_hca_cap_out *out)
{
	struct prm_query_hca_cap_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, (unsigned)page << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	*out = (struct prm_query_hca_cap_out){ 0 };
	return devx_cmd_general(dev, &in, sizeof(in), out, sizeof(*out));
}

static const void *get_page(const struct prm_query_hca_cap_out *out)
{
	return &out->dw[prm_bit(out, capability) / 32];
}

static void read_general(struct devx_caps *caps, const struct prm_cmd_hca_cap *cap)
{
	caps->log_max_cq = prm_get(cap, log_max_cq);
	caps->log_max_rq = prm_get(cap, log_max_rq);
	caps->log_max_sq = prm_get(cap, log_max_sq);
	caps->log_max_cq_sz = prm_get(cap, log_max_cq_sz);
	caps->log_max_wq_sz = prm_get(cap, log_max_wq_sz);
	caps->max_wqe_sz_sq = prm_get(cap, max_wqe_sz_sq);
	caps->max_wqe_sz_rq = prm_get(cap, max_wqe_sz_rq);
	caps->log_min_stride_sz_sq = prm_get(cap, log_min_stride_sz_sq);
	caps->log_max_stride_sz_sq = prm_get(cap, log_max_stride_sz_sq);
	caps->log_min_stride_sz_rq = prm_get(cap, log_min_stride_sz_rq);
	caps->log_max_stride_sz_rq = prm_get(cap, log_max_stride_sz_rq);
	caps->log_max_rqt_size = prm_get(cap, log_max_rqt_size);
	caps->log_bf_reg_size = prm_get(cap, log_bf_reg_size);
	caps->bf = prm_get(cap, bf);
	caps->cqe_version = prm_get(cap, cqe_version);
	caps->sq_ts_format = prm_get(cap, sq_ts_format);
	caps->rq_ts_format = prm_get(cap, rq_ts_format);
	caps->device_frequency_khz = prm_get(cap, device_frequency_khz);
	caps->cq_oi = prm_get(cap, cq_oi);
	caps->relaxed_ordering_write = prm_get(cap, relaxed_ordering_write);
	caps->relaxed_ordering_read = prm_get(cap, relaxed_ordering_read) ||
				      prm_get(cap, relaxed_ordering_read_pci_enabled);
	caps->mkc_order_write_after_write_ro_only =
		prm_get(cap, mkc_order_write_after_write_ro_only);
	caps->cq_moderation = prm_get(cap, cq_moderation);
	caps->cq_period_start_from_cqe = prm_get(cap, cq_period_start_from_cqe);
	caps->cq_period_mode_modify = prm_get(cap, cq_period_mode_modify);
	caps->max_indirection = prm_get(cap, max_indirection);
	caps->log_max_klm_list_size = prm_get(cap, log_max_klm_list_size);
	caps->fixed_buffer_size = prm_get(cap, fixed_buffer_size);
	caps->vport_counters = prm_get(cap, vport_counters);
	caps->eth_virt = prm_get(cap, eth_virt);
	caps->num_ports = prm_get(cap, num_ports);
	caps->tis_tir_td_order = prm_get(cap, tis_tir_td_order);
}

static void read_ethernet(struct devx_caps *caps,
			  const struct prm_per_protocol_networking_offload_caps *cap)
{
	caps->csum_cap = prm_get(cap, csum_cap);
	caps->vlan_cap = prm_get(cap, vlan_cap);
	caps->scatter_fcs = prm_get(cap, scatter_fcs);
	caps->wqe_vlan_insert = prm_get(cap, wqe_vlan_insert);
	caps->multi_pkt_send_wqe = prm_get(cap, multi_pkt_send_wqe);
	caps->enhanced_multi_pkt_send_wqe = prm_get(cap, enhanced_multi_pkt_send_wqe);
	caps->wqe_inline_mode = prm_get(cap, wqe_inline_mode);
	caps->max_lso_cap = prm_get(cap, max_lso_cap);
	caps->tunnel_stateless_vxlan = prm_get(cap, tunnel_stateless_vxlan);
	caps->tunnel_stateless_gre = prm_get(cap, tunnel_stateless_gre);
	caps->tunnel_stateless_ip_over_ip = prm_get(cap, tunnel_stateless_ip_over_ip);
	caps->rss_ind_tbl_cap = prm_get(cap, rss_ind_tbl_cap);
	caps->self_lb_en_modifiable = prm_get(cap, self_lb_en_modifiable);
}

static void read_flow_table(struct devx_caps *caps, const struct prm_flow_table_nic_cap *cap)
{
	const struct prm_flow_table_prop_layout *rx =
		prm_sub(cap, flow_table_properties_nic_receive);
	const struct prm_flow_table_fields_supported *match = prm_sub(rx, ft_field_support);

	caps->rx_tables = prm_get(rx, ft_support);
	/* Linux allows users to create receive rules if these four bits are 1 (fs_core.c). */
	caps->rx_user_rules = prm_get(rx, flow_modify_en) && prm_get(rx, modify_root) &&
			      prm_get(rx, identified_miss_table_mode) &&
			      prm_get(rx, flow_table_modify);
	caps->log_max_ft_size = prm_get(rx, log_max_ft_size);
	caps->max_ft_level = prm_get(rx, max_ft_level);
	caps->match_dmac = prm_get(match, outer_dmac);
	caps->match_ethertype = prm_get(match, outer_ether_type);
	caps->match_ip_version = prm_get(match, outer_ip_version);
	caps->match_ip_protocol = prm_get(match, outer_ip_protocol);
	caps->match_vlan = prm_get(match, outer_first_vid);
	caps->match_inner_ip_version = prm_get(match, inner_ip_version);
}

static void read_qos(struct devx_caps *caps, const struct prm_qos_cap *cap)
{
	caps->packet_pacing = prm_get(cap, packet_pacing);
	caps->packet_pacing_uid = prm_get(cap, packet_pacing_uid);
	caps->packet_pacing_burst_bound = prm_get(cap, packet_pacing_burst_bound);
	caps->packet_pacing_typical_size = prm_get(cap, packet_pacing_typical_size);
	caps->packet_pacing_min_rate = prm_get(cap, packet_pacing_min_rate);
	caps->packet_pacing_max_rate = prm_get(cap, packet_pacing_max_rate);
	caps->packet_pacing_rate_table_size = prm_get(cap, packet_pacing_rate_table_size);
}

int devx_caps_query(struct devx_dev *dev)
{
	struct prm_query_hca_cap_out out;
	const struct prm_cmd_hca_cap *general;
	int rc = query_page(dev, PRM_HCA_CAP_PAGE_GENERAL, &out);

	if (rc)
		return rc;
	general = get_page(&out);
	read_general(&dev->caps, general);
	dev->sq_ts_format = dev->caps.sq_ts_format;
	dev->rq_ts_format = dev->caps.rq_ts_format;
	const bool ethernet = prm_get(general, eth_net_offloads);
	const bool flow_table = prm_get(general, nic_flow_table);
	const bool qos = prm_get(general, qos);

	if (ethernet) {
		rc = query_page(dev, PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS, &out);
		if (rc)
			return rc;
		read_ethernet(&dev->caps, get_page(&out));
	}
	if (flow_table) {
		rc = query_page(dev, PRM_HCA_CAP_PAGE_FLOW_TABLE, &out);
		if (rc)
			return rc;
		read_flow_table(&dev->caps, get_page(&out));
	}
	if (qos) {
		rc = query_page(dev, PRM_HCA_CAP_PAGE_QOS, &out);
		if (rc)
			return rc;
		read_qos(&dev->caps, get_page(&out));
	}
	return 0;
}
