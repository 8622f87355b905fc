/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CAPS_H
#define DEVX_CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "prm/values.h"

/**
 * DOC: Capabilities of a device
 *
 * devx_dev_open() reads them once; after that they are constant. All values are the *current* ones
 * (QUERY_HCA_CAP op_mod bit 0 is 1), because the maximum may exceed what the kernel enabled. A
 * capability that is unknown to the firmware is 0.
 *
 * Source: PRM, "HCA Capabilities"; Linux mlx5_ifc_cmd_hca_cap_bits,
 * mlx5_ifc_per_protocol_networking_offload_caps_bits, mlx5_ifc_flow_table_nic_cap_bits,
 * mlx5_ifc_qos_cap_bits.
 */

/**
 * struct devx_caps - capabilities of a device
 * @log_max_cq: log2 of the largest number of CQs
 * @log_max_rq: log2 of the largest number of RQs
 * @log_max_sq: log2 of the largest number of SQs
 * @log_max_cq_sz: log2 of the largest number of CQEs in a CQ
 * @log_max_wq_sz: log2 of the largest number of entries in an SQ (WQEBBs) or RQ (WQEs)
 * @max_wqe_sz_sq: bytes of the largest send WQE
 * @max_wqe_sz_rq: bytes of the largest receive WQE
 * @log_min_stride_sz_sq: log2 of the smallest SQ stride in bytes
 * @log_max_stride_sz_sq: log2 of the largest SQ stride in bytes
 * @log_min_stride_sz_rq: log2 of the smallest RQ stride in bytes
 * @log_max_stride_sz_rq: log2 of the largest RQ stride in bytes
 * @log_max_rqt_size: log2 of the largest number of RQs in an RQT
 * @log_bf_reg_size: log2 of the bytes of a BlueFlame register, which has two buffers
 * @bf: UAR pages have BlueFlame registers
 * @cqe_version: 1: CQEs carry the user index of their queue; 0: they do not
 * @sq_ts_format: clocks for time stamps of send completions, enum prm_hca_cap_ts_format
 * @rq_ts_format: as @sq_ts_format, for receive completions
 * @device_frequency_khz: frequency of the free-running clock in kHz; 0: unknown
 * @cq_oi: a CQ can be created with overrun_ignore
 * @relaxed_ordering_write: the device can write to a memory region out of order
 * @relaxed_ordering_read: an mkey can allow PCIe to complete reads of the device out of order.
 *	Linux has two capabilities for it, relaxed_ordering_read and
 *	relaxed_ordering_read_pci_enabled. DPDK names them pci_relaxed_ordered_read and
 *	relaxed_ordering_read
 * @mkc_order_write_after_write_ro_only: an mkey must allow writes out of order
 * @cq_moderation: events of a CQ can be delayed until a number of CQEs or a period of time
 * @cq_period_start_from_cqe: the period can start at the last CQE instead of the last event
 * @cq_period_mode_modify: the start of the period can be changed after the CQ was created
 * @max_indirection: number of indirect mkeys that an access may go through; 0: no indirect mkeys
 * @log_max_klm_list_size: log2 of the largest number of entries in an indirect mkey
 * @fixed_buffer_size: an indirect mkey can have pieces of one length, without a length in each
 * @packet_pacing: the device can limit the rate of an SQ
 * @packet_pacing_uid: users can allocate rate limits
 * @packet_pacing_burst_bound: a rate limit can bound the length of a burst
 * @packet_pacing_typical_size: a rate limit can specify the typical length of a packet
 * @packet_pacing_min_rate: lowest rate limit in kbit/s
 * @packet_pacing_max_rate: highest rate limit in kbit/s
 * @packet_pacing_rate_table_size: number of rate limits, including number 0, which is "no limit"
 * @vport_counters: firmware supports QUERY_VPORT_COUNTER
 * @eth_virt: firmware supports QUERY_NIC_VPORT_CONTEXT
 * @num_ports: number of ports of this PCI function
 * @csum_cap: the device computes and checks L3 and L4 checksums
 * @vlan_cap: the device strips and inserts VLAN tags
 * @scatter_fcs: the device can write the frame check sequence behind a received packet
 * @wqe_vlan_insert: a WQE can request the insertion of a VLAN tag
 * @multi_pkt_send_wqe: not 0: an SQ may allow multi-packet WQEs. An adapter that executes
 *	ENHANCED_MPSW reports 1 (README of github.com/saeedtx/mlx5ctl)
 * @enhanced_multi_pkt_send_wqe: the device executes WQE opcode ENHANCED_MPSW
 * @wqe_inline_mode: enum prm_eth_cap_wqe_inline_mode
 * @max_lso_cap: log2 of the largest number of bytes in a TSO WQE; 0: no TSO
 * @tunnel_stateless_vxlan: parsing, checksums and TSO work inside VXLAN
 * @tunnel_stateless_gre: as above, inside GRE
 * @tunnel_stateless_ip_over_ip: as above, inside IP-in-IP
 * @rss_ind_tbl_cap: log2 of the largest number of RQs in an RQT used for RSS
 * @rx_tables: receive flow tables are supported
 * @rx_user_rules: receive flow tables have all features without which the kernel refuses user rules
 * @log_max_ft_size: log2 of the largest number of entries in a receive flow table
 * @max_ft_level: number of levels of receive flow tables
 * @match_dmac: receive rules can match the destination MAC
 * @match_ethertype: receive rules can match the EtherType
 * @match_ip_version: receive rules can match the IP version
 * @match_ip_protocol: receive rules can match the IP protocol
 * @match_vlan: receive rules can match the VLAN identifier
 * @match_inner_ip_version: receive rules can match the IP version inside a tunnel. A device without
 *                          it may refuse a TIR with inner_headers, although it parses tunnels
 * @self_lb_en_modifiable: devx_tir_refresh_self_lb() can make a TIR block frames of new SQs
 * @tis_tir_td_order: a TIR blocks frames of all SQs of its transport domain, including new ones
 */
struct devx_caps {
	uint8_t log_max_cq;
	uint8_t log_max_rq;
	uint8_t log_max_sq;
	uint8_t log_max_cq_sz;
	uint8_t log_max_wq_sz;
	uint16_t max_wqe_sz_sq;
	uint16_t max_wqe_sz_rq;
	uint8_t log_min_stride_sz_sq;
	uint8_t log_max_stride_sz_sq;
	uint8_t log_min_stride_sz_rq;
	uint8_t log_max_stride_sz_rq;
	uint8_t log_max_rqt_size;
	uint8_t log_bf_reg_size;
	bool bf;
	uint8_t cqe_version;
	uint8_t sq_ts_format;
	uint8_t rq_ts_format;
	uint32_t device_frequency_khz;
	bool cq_oi;
	bool relaxed_ordering_write;
	bool relaxed_ordering_read;
	bool mkc_order_write_after_write_ro_only;
	bool cq_moderation;
	bool cq_period_start_from_cqe;
	bool cq_period_mode_modify;
	uint8_t max_indirection;
	uint8_t log_max_klm_list_size;
	bool fixed_buffer_size;
	bool packet_pacing;
	bool packet_pacing_uid;
	bool packet_pacing_burst_bound;
	bool packet_pacing_typical_size;
	uint32_t packet_pacing_min_rate;
	uint32_t packet_pacing_max_rate;
	uint16_t packet_pacing_rate_table_size;
	bool vport_counters;
	bool eth_virt;
	uint8_t num_ports;

	bool csum_cap;
	bool vlan_cap;
	bool scatter_fcs;
	bool wqe_vlan_insert;
	uint8_t multi_pkt_send_wqe;
	bool enhanced_multi_pkt_send_wqe;
	uint8_t wqe_inline_mode;
	uint8_t max_lso_cap;
	bool tunnel_stateless_vxlan;
	bool tunnel_stateless_gre;
	bool tunnel_stateless_ip_over_ip;
	uint8_t rss_ind_tbl_cap;

	bool rx_tables;
	bool rx_user_rules;
	uint8_t log_max_ft_size;
	uint8_t max_ft_level;
	bool match_dmac;
	bool match_ethertype;
	bool match_ip_version;
	bool match_ip_protocol;
	bool match_vlan;
	bool match_inner_ip_version;

	bool self_lb_en_modifiable;
	bool tis_tir_td_order;
};

#endif
