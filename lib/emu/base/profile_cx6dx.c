/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiles advertise only features that emu executes: no LRO, striding RQ, QP transports
 * or real-time clock. The exceptions: CQE compression, which a device may omit
 * (firmware/cq.c) and net_mlx5 of DPDK 22.11 takes for granted; XRC, self_lb_en_modifiable and
 * emu_profile_fill_roce(), which have no effect on frames.
 *
 * PRM-MISSING: limits of objects are 2^4 to 2^18 (firmware reports vary by version and
 * configuration; no code of emu depends on the exact value)
 */
#include "emu/base/caps.h"
#include "emu/base/profile.h"

enum {
	LOG_WQE_SEG_RQ_MIN = 4,
	LOG_WQE_SEG_RQ_MAX = 9, /* 32 data segments per WQE */
	LOG_WQEBB = 6,
	MINI_CQES_MAX = 16,
	LOG_KLM_LIST_MAX = 16,
	INDIRECT_MKEYS_MAX = 4,
	MAX_VERSION = 1, /* cqe_version 1: CQEs carry a user index instead of a queue number */
};

static uint8_t compute_log2(uint32_t n)
{
	return n ? (uint8_t)(31 - __builtin_clz(n)) : 0;
}

static void fill_objects(const struct emu_profile *p, struct prm_cmd_hca_cap *c)
{
	prm_set(c, log_max_uctx, compute_log2(p->limit[EMU_UCTX]));
	prm_set(c, log_max_umem, compute_log2(p->limit[EMU_UMEM]));
	prm_set(c, log_max_pd, compute_log2(p->limit[EMU_PD]));
	prm_set(c, log_max_transport_domain, compute_log2(p->limit[EMU_TD]));
	prm_set(c, log_max_mkey, compute_log2(p->limit[EMU_MKEY]));
	prm_set(c, log_max_eq, compute_log2(p->limit[EMU_EQ]));
	prm_set(c, max_num_eqs, p->limit[EMU_EQ]);
	prm_set(c, log_max_cq, compute_log2(p->limit[EMU_CQ]));
	prm_set(c, log_max_sq, compute_log2(p->limit[EMU_SQ]));
	prm_set(c, log_max_rq, compute_log2(p->limit[EMU_RQ]));
	prm_set(c, log_max_tis, compute_log2(p->limit[EMU_TIS]));
	prm_set(c, log_max_tir, compute_log2(p->limit[EMU_TIR]));
	prm_set(c, log_max_rqt, compute_log2(p->limit[EMU_RQT]));
	prm_set(c, max_flow_counter_15_0, p->limit[EMU_FLOW_COUNTER] & 0xffff);
	prm_set(c, max_flow_counter_31_16, p->limit[EMU_FLOW_COUNTER] >> 16);
}

static void fill_queues(const struct emu_profile *p, struct prm_cmd_hca_cap *c)
{
	prm_set(c, log_max_cq_sz, p->log_max_cq_sz);
	prm_set(c, log_max_eq_sz, p->log_max_eq_sz);
	prm_set(c, log_max_wq_sz, p->log_max_wq_sz);
	prm_set(c, log_max_rqt_size, p->log_max_rqt_size);
	prm_set(c, log_min_stride_sz_sq, LOG_WQEBB);
	prm_set(c, log_max_stride_sz_sq, LOG_WQEBB);
	prm_set(c, log_min_stride_sz_rq, LOG_WQE_SEG_RQ_MIN);
	prm_set(c, log_max_stride_sz_rq, LOG_WQE_SEG_RQ_MAX);
	prm_set(c, log_max_qp, compute_log2(p->limit[EMU_QP]));
	prm_set(c, log_max_qp_sz, p->log_max_wq_sz);
	prm_set(c, log_max_srq_sz, p->log_max_wq_sz);
	prm_set(c, max_wqe_sz_sq, 1024);
	prm_set(c, max_wqe_sz_rq, 1 << LOG_WQE_SEG_RQ_MAX);
	prm_set(c, cqe_version, MAX_VERSION);
	prm_set(c, cq_oi, 1);
	prm_set(c, cq_moderation, 1);
	prm_set(c, cq_period_mode_modify, 1);
	prm_set(c, cq_period_start_from_cqe, 1);
	prm_set(c, cqe_compression, p->cqe_compression);
	prm_set(c, cqe_compression_max_num, p->cqe_compression ? MINI_CQES_MAX : 0);
	prm_set(c, modify_rq_counter_set_id, 1);
}

static void fill_general(const struct emu_profile *p, bool max, struct prm_cmd_hca_cap *c)
{
	fill_objects(p, c);
	fill_queues(p, c);
	prm_set(c, hca_cap_2, 1);
	prm_set(c, port_type, PRM_HCA_CAP_PORT_TYPE_ETH);
	prm_set(c, num_ports, 1);
	prm_set(c, native_port_num, 1);
	prm_set(c, eth_net_offloads, 1);
	prm_set(c, nic_flow_table, 1);
	prm_set(c, qos, 1);
	prm_set(c, vport_counters, 1);
	prm_set(c, nic_receive_steering_discard, 1);
	prm_set(c, log_pg_sz, EMU_ADAPTER_PAGE_SHIFT);
	prm_set(c, bf, 1);
	prm_set(c, log_bf_reg_size, 9);
	prm_set(c, uar_4k, 1);
	prm_set(c, num_of_uars_per_page, 1);
	prm_set(c, uctx_cap, PRM_UCTX_CAP_RAW_TX);
	prm_set(c, xrc, 1); /* without effect on frames; mlx5_ib needs XRC domains to start */
	prm_set(c, log_max_xrcd, compute_log2(p->limit[EMU_XRCD]));
	prm_set(c, log_max_mrw_sz, 63);
	prm_set(c, log_max_msg, 30);
	prm_set(c, relaxed_ordering_write, 1);
	prm_set(c, relaxed_ordering_read_pci_enabled, 1);
	prm_set(c, fixed_buffer_size, 1);
	prm_set(c, log_max_klm_list_size, LOG_KLM_LIST_MAX);
	prm_set(c, max_indirection, INDIRECT_MKEYS_MAX);
	prm_set(c, umr_modify_atomic_disabled, 1);
	prm_set(c, umr_extended_translation_offset, 1);
	prm_set(c, umr_indirect_mkey_disabled, 1);
	prm_set(c, log_max_current_uc_list, compute_log2(EMU_MAX_UC));
	prm_set(c, log_max_current_uc_list_wr_supported, 0);
	prm_set(c, log_max_current_mc_list, compute_log2(EMU_MAX_MC));
	prm_set(c, device_frequency_khz, EMU_CLOCK_KHZ);
	prm_set(c, device_frequency_mhz, EMU_CLOCK_KHZ / 1000);
	/* Features that a kernel may switch on with SET_HCA_CAP. They have no effect in emu. */
	if (max) {
		prm_set(c, log_uar_page_sz, 8);
		prm_set(c, cmdif_checksum, PRM_HCA_CAP_CMDIF_CHECKSUM_ENABLED);
	}
}

static void fill_ethernet(const struct emu_profile *p,
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
	prm_set(c, self_lb_en_modifiable, 1);
	prm_set(c, multi_pkt_send_wqe, PRM_ETH_CAP_MULTI_PKT_SEND_WQE_ENHANCED);
	prm_set(c, enhanced_multi_pkt_send_wqe, 1);
	prm_set(c, wqe_inline_mode, PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED);
	prm_set(c, rss_ind_tbl_cap, p->log_max_rqt_size);
}

/* Only NIC_RX has flow tables: frames leave to the wire without steering. */
static void fill_flow_tables(const struct emu_profile *p, struct prm_flow_table_nic_cap *c)
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
	prm_set(rx, log_max_ft_num, compute_log2(p->limit[EMU_FLOW_TABLE]));
	prm_set(rx, log_max_flow_counter, 0);
	prm_set(rx, log_max_destination, compute_log2(EMU_MAX_DESTS));
	prm_set(rx, log_max_flow, p->log_max_ft_size);
	prm_set(c, nic_rx_multi_path_tirs, 1);
	emu_profile_fill_match(prm_sub(rx, ft_field_support));
	emu_profile_fill_match(prm_sub(rx, ft_field_bitmask_support));
}

static void fill_caps(const struct emu_profile *p, bool max, struct emu_caps *caps)
{
	fill_general(p, max, &caps->general);
	fill_ethernet(p, &caps->eth);
	fill_flow_tables(p, &caps->flow);
	emu_profile_fill_qos(p, &caps->qos);
	if (p->model.roce)
		emu_profile_fill_roce(caps);
}

#define CX6DX_FW .fw = { 22, 35, 1012 }
#define CX6DX_MODEL .device_id = 0x101d, CX6DX_FW

#define CX6DX                                                                                      \
	.limit = {                                                                                 \
		[EMU_UCTX] = 1 << 10, [EMU_UAR] = EMU_MAX_UARS, [EMU_PD] = 1 << 16,                \
		[EMU_TD] = 1 << 12, [EMU_UMEM] = 1 << 16, [EMU_MKEY] = 1 << 18, [EMU_EQ] = 1 << 6, \
		[EMU_CQ] = 1 << 16, [EMU_SQ] = 1 << 16, [EMU_RQ] = 1 << 16, [EMU_RMP] = 16,        \
		[EMU_TIS] = 1 << 12, [EMU_TIR] = 1 << 16, [EMU_RQT] = 1 << 14,                     \
		[EMU_Q_COUNTER] = 1 << 7, [EMU_FLOW_TABLE] = 1 << 12,                              \
		[EMU_FLOW_COUNTER] = 1 << 16, [EMU_XRCD] = 1 << 10,                                \
		[EMU_SRQ] = 16, [EMU_QP] = 1 << 16,                                                \
	},                                                                                         \
	.log_max_cq_sz = 22, .log_max_eq_sz = 22, .log_max_wq_sz = 15, .log_max_rqt_size = 9,      \
	.log_max_ft_size = 16, .max_ft_level = 128, .n_rates = EMU_MAX_RATES,                      \
	.cqe_compression = true, .fill = fill_caps

const struct emu_profile emu_profile_cx6dx = {
	.model = { .name = "cx6dx", .board_id = "EMU0000000001", CX6DX_MODEL },
	CX6DX,
};

const struct emu_profile emu_profile_roce = {
	.model = { .name = "roce", .board_id = "EMU0000000003", CX6DX_MODEL, .roce = true },
	CX6DX,
};

/*
 * PRM-MISSING: a VF has the capabilities and limits of its physical function (the firmware's
 * configuration divides resources between functions). emu gives vport_group_manager 0 to both.
 */
const struct emu_profile emu_profile_vf = {
	.model = { .name = "vf",
		   .board_id = "EMU0000000004",
		   .device_id = 0x101e,
		   .vf = true,
		   CX6DX_FW },
	CX6DX,
};

const struct emu_profile emu_profile_small = {
	.model = { .name = "small", .board_id = "EMU0000000002", CX6DX_MODEL },
	.limit = {
		[EMU_UCTX] = 4, [EMU_UAR] = 16, [EMU_PD] = 8, [EMU_TD] = 4, [EMU_UMEM] = 32,
		[EMU_MKEY] = 16, [EMU_EQ] = 8, [EMU_CQ] = 8, [EMU_SQ] = 4, [EMU_RQ] = 4,
		[EMU_RMP] = 4, [EMU_TIS] = 4, [EMU_TIR] = 8, [EMU_RQT] = 4, [EMU_Q_COUNTER] = 2,
		[EMU_FLOW_TABLE] = 128, [EMU_FLOW_COUNTER] = 4, [EMU_XRCD] = 4, [EMU_SRQ] = 4,
		[EMU_QP] = 4,
	},
	.log_max_cq_sz = 8, .log_max_eq_sz = 8, .log_max_wq_sz = 7, .log_max_rqt_size = 2,
	.log_max_ft_size = 8, .max_ft_level = 128, .n_rates = 4,
	.fill = fill_caps,
};
