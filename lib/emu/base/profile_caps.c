/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiles advertise only features that emu executes: no LRO, striding RQ or QP transports.
 * The exceptions: CQE compression, which a device may omit (firmware/cq.c) but net_mlx5 of DPDK
 * 22.11 requires; XRC and RoCE (emu_profile_fill_roce()), which have no effect on frames.
 */
#include "emu/base/profile.h"
#include "emu/base/clock.h"
#include "prm/cqe.h"

enum {
	LOG_WQE_SEG_RQ_MIN = 4,
	LOG_WQE_SEG_RQ_MAX = 9, /* 32 data segments per WQE */
	LOG_WQEBB = 6,
	MINI_CQES_MAX = 16,
	LOG_KLM_LIST_MAX = 16,
	INDIRECT_MKEYS_MAX = 4,
	MAX_VERSION = 1, /* cqe_version 1: CQEs carry a user index instead of a queue number */
};

/* Returns whether the maximum (@max) or current capabilities have all optional features. */
static bool has_options(const struct emu_profile *p, bool max)
{
	return max || !p->below_max;
}

static void fill_objects(const struct emu_profile *p, struct prm_cmd_hca_cap *c)
{
	prm_set(c, log_max_uctx, emu_profile_log2(p->limit[EMU_UCTX]));
	prm_set(c, log_max_umem, emu_profile_log2(p->limit[EMU_UMEM]));
	prm_set(c, log_max_pd, emu_profile_log2(p->limit[EMU_PD]));
	prm_set(c, log_max_transport_domain, emu_profile_log2(p->limit[EMU_TD]));
	prm_set(c, log_max_mkey, emu_profile_log2(p->limit[EMU_MKEY]));
	prm_set(c, log_max_eq, emu_profile_log2(p->limit[EMU_EQ]));
	prm_set(c, max_num_eqs, p->limit[EMU_EQ]);
	prm_set(c, log_max_cq, emu_profile_log2(p->limit[EMU_CQ]));
	prm_set(c, log_max_sq, emu_profile_log2(p->limit[EMU_SQ]));
	prm_set(c, log_max_rq, emu_profile_log2(p->limit[EMU_RQ]));
	prm_set(c, log_max_tis, emu_profile_log2(p->limit[EMU_TIS]));
	prm_set(c, log_max_tir, emu_profile_log2(p->limit[EMU_TIR]));
	prm_set(c, log_max_rqt, emu_profile_log2(p->limit[EMU_RQT]));
	prm_set(c, max_flow_counter_15_0, p->limit[EMU_FLOW_COUNTER] & 0xffff);
	prm_set(c, max_flow_counter_31_16, p->limit[EMU_FLOW_COUNTER] >> 16);
}

static void fill_queues(const struct emu_profile *p, bool max, struct prm_cmd_hca_cap *c)
{
	const unsigned more = max && p->below_max ? 1 : 0;

	prm_set(c, log_max_cq_sz, p->log_max_cq_sz + more);
	prm_set(c, log_max_eq_sz, p->log_max_eq_sz + more);
	prm_set(c, log_max_wq_sz, p->log_max_wq_sz + more);
	prm_set(c, log_max_rqt_size, p->log_max_rqt_size + more);
	prm_set(c, log_min_stride_sz_sq, LOG_WQEBB);
	prm_set(c, log_max_stride_sz_sq, LOG_WQEBB);
	prm_set(c, log_min_stride_sz_rq, LOG_WQE_SEG_RQ_MIN);
	prm_set(c, log_max_stride_sz_rq, LOG_WQE_SEG_RQ_MAX);
	prm_set(c, log_max_qp, emu_profile_log2(p->limit[EMU_QP]));
	prm_set(c, log_max_qp_sz, p->log_max_wq_sz);
	prm_set(c, log_max_srq_sz, p->log_max_wq_sz);
	prm_set(c, max_wqe_sz_sq, 1024);
	prm_set(c, max_wqe_sz_rq, 1 << LOG_WQE_SEG_RQ_MAX);
	prm_set(c, cqe_version, MAX_VERSION);
	prm_set(c, cq_oi, has_options(p, max));
	prm_set(c, cq_moderation, 1);
	prm_set(c, cq_period_mode_modify, 1);
	prm_set(c, cq_period_start_from_cqe, 1);
	prm_set(c, cqe_compression, p->cqe_compression);
	prm_set(c, cqe_compression_max_num, p->cqe_compression ? MINI_CQES_MAX : 0);
	prm_set(c, modify_rq_counter_set_id, 1);
}

static void fill_clock(const struct emu_profile *p, struct prm_cmd_hca_cap *c)
{
	const uint32_t khz = emu_clock_get_khz(&p->options);

	prm_set(c, device_frequency_khz, khz);
	prm_set(c, device_frequency_mhz, khz / 1000);
	prm_set(c, sq_ts_format, p->options.ts_format);
	prm_set(c, rq_ts_format, p->options.ts_format);
}

static void fill_general(const struct emu_profile *p, bool max, struct prm_cmd_hca_cap *c)
{
	fill_objects(p, c);
	fill_queues(p, max, c);
	prm_set(c, hca_cap_2, 1);
	prm_set(c, port_type, p->model.ib ? PRM_HCA_CAP_PORT_TYPE_IB : PRM_HCA_CAP_PORT_TYPE_ETH);
	prm_set(c, num_ports, 1);
	prm_set(c, native_port_num, 1);
	prm_set(c, eth_net_offloads, 1);
	prm_set(c, nic_flow_table, 1);
	prm_set(c, qos, 1);
	prm_set(c, disable_local_lb_uc, 1);
	prm_set(c, disable_local_lb_mc, 1);
	prm_set(c, vport_counters, 1);
	prm_set(c, nic_receive_steering_discard, 1);
	prm_set(c, log_pg_sz, EMU_ADAPTER_PAGE_SHIFT);
	prm_set(c, bf, 1);
	prm_set(c, log_bf_reg_size, 9);
	prm_set(c, uar_4k, 1);
	prm_set(c, num_of_uars_per_page, 1);
	prm_set(c, uctx_cap, PRM_UCTX_CAP_RAW_TX);
	prm_set(c, xrc, 1); /* without effect on frames; mlx5_ib needs XRC domains to start */
	prm_set(c, log_max_xrcd, emu_profile_log2(p->limit[EMU_XRCD]));
	prm_set(c, log_max_mrw_sz, 63);
	prm_set(c, log_max_msg, 30);
	prm_set(c, relaxed_ordering_write, has_options(p, max));
	prm_set(c, relaxed_ordering_read, has_options(p, max));
	prm_set(c, relaxed_ordering_read_pci_enabled, has_options(p, max));
	prm_set(c, fixed_buffer_size, 1);
	prm_set(c, log_max_klm_list_size, LOG_KLM_LIST_MAX);
	prm_set(c, max_indirection, INDIRECT_MKEYS_MAX);
	prm_set(c, umr_modify_atomic_disabled, 1);
	prm_set(c, umr_extended_translation_offset, 1);
	prm_set(c, umr_indirect_mkey_disabled, 1);
	prm_set(c, log_max_current_uc_list, emu_profile_log2(EMU_MAX_UC));
	prm_set(c, log_max_current_uc_list_wr_supported, 0);
	prm_set(c, log_max_current_mc_list, emu_profile_log2(EMU_MAX_MC));
	fill_clock(p, c);
}

static uint64_t make_bit(enum prm_event event)
{
	return 1ull << event;
}

/*
 * Programs that run on adapters (UCX, DPDK) subscribe to the last WQE and the limit of a shared
 * receive queue. Completion events need no bit: Linux always allows them.
 *
 * PRM-MISSING: users may subscribe to CQ_ERROR and WQ_CATAS_ERROR of an object and to PORT_CHANGE
 * of the device (no source publishes the masks of an adapter; these are the events that emu raises;
 * options cq_error_events and port_events remove two of them).
 */
static void fill_events(const struct emu_profile *p, struct prm_device_event_cap *c)
{
	uint64_t of_objects = make_bit(PRM_EVENT_WQ_CATAS_ERROR) |
			      make_bit(PRM_EVENT_SRQ_LAST_WQE) | make_bit(PRM_EVENT_SRQ_RQ_LIMIT);

	if (!p->options.event_cap)
		return;
	if (p->options.cq_error_events)
		of_objects |= make_bit(PRM_EVENT_CQ_ERROR);
	prm_set_at(c, user_affiliated_events, 0, of_objects);
	if (p->options.port_events)
		prm_set_at(c, user_unaffiliated_events, 0, make_bit(PRM_EVENT_PORT_CHANGE));
}

static void fill_mlx5ctl(struct emu_caps *caps)
{
#define GENERAL(field, value) prm_set(&caps->general, field, value);
#define ETHERNET(field, value) prm_set(&caps->eth, field, value);
#define LEFT(value, field)
#define UNKNOWN(field)
#include "emu/base/profile_mlx5ctl.def"
}

static void fill_options(const struct emu_profile *p, struct emu_caps *caps)
{
	const struct emu_options *o = &p->options;
	struct prm_cmd_hca_cap *c = &caps->general;

	prm_set(c, event_cap, o->event_cap);
	prm_set(c, mini_cqe_resp_stride_index, p->cqe_compression && o->mini_cqe_stride_index);
	prm_set(&caps->eth, self_lb_en_modifiable, o->self_lb_en_modifiable);
	prm_set(c, eth_virt, o->eth_virt);
	prm_set(c, terminate_scatter_list_mkey, o->terminate_mkey);
	prm_set(c, tis_tir_td_order, o->tis_tir_td_order);
	if (!o->relaxed_ordering) {
		prm_set(c, relaxed_ordering_write, 0);
		prm_set(c, relaxed_ordering_read, 0);
		prm_set(c, relaxed_ordering_read_pci_enabled, 0);
	}
	prm_set(c, mkc_order_read_after_write, o->mkc_order_read_after_write);
	prm_set(c, mkc_order_write_after_write_ro_only,
		o->mkc_order_write_after_write_ro_only && prm_get(c, relaxed_ordering_write));
	if (o->lag != EMU_LAG_NONE) {
		prm_set(c, lag_master, 1);
		prm_set(c, num_lag_ports, EMU_LAG_PORTS);
		prm_set(c, lag_tx_port_affinity, 1);
	}
}

void emu_profile_fill(const struct emu_profile *p, bool max, struct emu_caps *caps)
{
	fill_general(p, max, &caps->general);
	emu_profile_fill_ethernet(p, &caps->eth);
	emu_profile_fill_flow_tables(p, &caps->flow);
	emu_profile_fill_qos(p, &caps->qos);
	fill_events(p, &caps->event);
	if (p->model.roce)
		emu_profile_fill_roce(caps);
	if (p->mlx5ctl)
		fill_mlx5ctl(caps);
	fill_options(p, caps);
	if (max) { /* a kernel may enable these with SET_HCA_CAP, without effect in emu */
		prm_set(&caps->general, log_uar_page_sz, 8);
		prm_set(&caps->general, cmdif_checksum, PRM_HCA_CAP_CMDIF_CHECKSUM_ENABLED);
	}
}
