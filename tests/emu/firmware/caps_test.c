/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig.h"
#include "emu/firmware/refuse.h"
#include "emu/packet/match.h"
#include "emu/base/profile.h"
#include "prm/cqe.h"

enum {
	CURRENT = PRM_HCA_CAP_OP_MOD_CURRENT,
	GENERAL = PRM_HCA_CAP_PAGE_GENERAL,
	ETHERNET = PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS,
	FLOW_TABLE = PRM_HCA_CAP_PAGE_FLOW_TABLE,
	EVENTS = PRM_HCA_CAP_PAGE_DEV_EVENT,
	GENERAL_2 = PRM_HCA_CAP_PAGE_GENERAL_2,
};

static uint8_t query_caps(struct core_rig *r, unsigned op_mod, struct prm_query_hca_cap_out *out)
{
	struct prm_query_hca_cap_in in = { 0 };

	prm_set(&in, op_mod, op_mod);
	return CORE_RIG_EXEC(r, query_hca_cap, &in, out);
}

static const void *get_caps(const struct prm_query_hca_cap_out *out)
{
	return &out->dw[prm_bit(out, capability) / 32];
}

static const struct profile {
	const char *name;
	unsigned log_max_sq, log_max_wq_sz;
} profiles[] = {
	{ "cx6dx", 23, 15 },    { "small", 2, 7 },     { "roce", 23, 15 },
	{ "realtime", 23, 15 }, { "mlx5ctl", 23, 15 },
};

TEST_EACH(caps, query_returns_those_of_the_profile, struct profile, profiles)
{
	struct prm_query_hca_cap_out out;
	const struct prm_cmd_hca_cap *c = get_caps(&out);
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->name, .no_context = true });
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1 | CURRENT, &out));
	EXPECT_EQ(row->log_max_sq, prm_get(c, log_max_sq));
	EXPECT_EQ(row->log_max_wq_sz, prm_get(c, log_max_wq_sz));
	EXPECT_EQ(1u << prm_get(c, log_max_tir), r.emu->table[EMU_TIR].max);
	EXPECT_EQ(1, prm_get(c, cqe_version));
	EXPECT_EQ(PRM_HCA_CAP_PORT_TYPE_ETH, prm_get(c, port_type));
	EXPECT_EQ(1, prm_get(c, eth_net_offloads));
	EXPECT_EQ(0, prm_get(c, log_uar_page_sz)); /* only the maximum is not 0 */
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1, &out));
	EXPECT_NE(0, prm_get(c, log_uar_page_sz));
	core_rig_close(&r);
}

TEST(caps, current_ones_of_profile_realtime_are_below_the_maximum)
{
	struct prm_query_hca_cap_out out, most;
	const struct prm_cmd_hca_cap *c = get_caps(&out), *max = get_caps(&most);
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "realtime", .no_context = true });
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1 | CURRENT, &out));
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1, &most));
	EXPECT_LT(prm_get(c, log_max_cq_sz), prm_get(max, log_max_cq_sz));
	EXPECT_LT(prm_get(c, log_max_wq_sz), prm_get(max, log_max_wq_sz));
	EXPECT_LT(prm_get(c, log_max_rqt_size), prm_get(max, log_max_rqt_size));
	EXPECT_LT(prm_get(c, cq_oi), prm_get(max, cq_oi));
	EXPECT_LT(prm_get(c, relaxed_ordering_write), prm_get(max, relaxed_ordering_write));
	EXPECT_EQ(PRM_HCA_CAP_TS_FORMAT_REAL_TIME, prm_get(c, sq_ts_format));
	EXPECT_EQ(PRM_HCA_CAP_TS_FORMAT_REAL_TIME, prm_get(c, rq_ts_format));
	EXPECT_EQ(1000000, prm_get(c, device_frequency_khz));
	EXPECT_EQ(0, r.emu->table[EMU_Q_COUNTER].max);
	core_rig_close(&r);
}

TEST(caps, exclude_features_that_emu_lacks)
{
	struct prm_query_hca_cap_out out;
	const struct prm_cmd_hca_cap *general = get_caps(&out);
	const struct prm_per_protocol_networking_offload_caps *eth = get_caps(&out);
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1 | CURRENT, &out));
	EXPECT_EQ(0, prm_get(general, striding_rq));
	EXPECT_EQ(0, prm_get(general, log_max_rmp));
	EXPECT_EQ(0, prm_get(general, roce));
	EXPECT_EQ(0, prm_get(general, pg));
	EXPECT_EQ(0, prm_get(general, sq_ts_format));
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, ETHERNET << 1 | CURRENT, &out));
	EXPECT_EQ(1, prm_get(eth, csum_cap));
	EXPECT_EQ(PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED, prm_get(eth, wqe_inline_mode));
	EXPECT_EQ(0, prm_get(eth, lro_cap));
	EXPECT_EQ(0, prm_get(eth, swp));
	core_rig_close(&r);
}

TEST(caps, include_what_a_kernel_needs_for_steering)
{
	struct prm_query_hca_cap_out out;
	const struct prm_flow_table_nic_cap *flow = get_caps(&out);
	const struct prm_flow_table_prop_layout *rx =
		prm_sub(flow, flow_table_properties_nic_receive);
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, FLOW_TABLE << 1 | CURRENT, &out));
	EXPECT_EQ(1, prm_get(rx, flow_modify_en));
	EXPECT_EQ(1, prm_get(rx, modify_root));
	EXPECT_EQ(1, prm_get(rx, identified_miss_table_mode));
	EXPECT_EQ(1, prm_get(rx, flow_table_modify));
	EXPECT_EQ(0, prm_get(prm_sub(flow, flow_table_properties_nic_transmit), ft_support));
	core_rig_close(&r);
}

static const struct mask {
	const char *name, *profile;
	bool event_cap, cq_error, port_change, wq_error;
} masks[] = {
	{ "preset", "cx6dx", true, true, true, true },
	{ "no_port_change", "cx6dx,port_events=0", true, true, false, true },
	{ "no_cq_error", "cx6dx,cq_error_events=0", true, false, true, true },
	{ "neither", "cx6dx,port_events=0,cq_error_events=0", true, false, false, true },
	{ "no_masks", "cx6dx,event_cap=0", false, false, false, false },
};

TEST_EACH(caps, masks_have_the_events_that_users_get, struct mask, masks)
{
	struct prm_query_hca_cap_out out;
	const struct prm_cmd_hca_cap *general = get_caps(&out);
	const struct prm_device_event_cap *c = get_caps(&out);
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->profile, .no_context = true });
	EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, GENERAL << 1 | CURRENT, &out));
	EXPECT_EQ(row->event_cap, prm_get(general, event_cap));
	for (unsigned max = 0; max < 2; max++) {
		EXPECT_EQ(PRM_STATUS_OK, query_caps(&r, EVENTS << 1 | max, &out));
		const uint64_t of_objects = prm_get_at(c, user_affiliated_events, 0),
			       of_device = prm_get_at(c, user_unaffiliated_events, 0);

		EXPECT_EQ(row->cq_error, of_objects >> PRM_EVENT_CQ_ERROR & 1);
		EXPECT_EQ(row->wq_error, of_objects >> PRM_EVENT_WQ_CATAS_ERROR & 1);
		EXPECT_EQ(row->port_change, of_device >> PRM_EVENT_PORT_CHANGE & 1);
		EXPECT_EQ(0, (of_objects | of_device) >> PRM_EVENT_CMD & 1);
	}
	core_rig_close(&r);
}

/* Names of capabilities, and of a match field that each of them stands for. */
static const struct match {
	const char *name;
	const char *field;
} matches[] = {
	{ "outer_dmac", "outer_headers.dmac_47_16" },
	{ "outer_smac", "outer_headers.smac_15_0" },
	{ "outer_ether_type", "outer_headers.ethertype" },
	{ "outer_ip_version", "outer_headers.ip_version" },
	{ "outer_first_prio", "outer_headers.first_prio" },
	{ "outer_first_cfi", "outer_headers.first_cfi" },
	{ "outer_first_vid", "outer_headers.first_vid" },
	{ "outer_ipv4_ttl", "outer_headers.ttl_hoplimit" },
	{ "outer_second_prio", "misc_parameters.outer_second_prio" },
	{ "outer_second_cfi", "misc_parameters.outer_second_cfi" },
	{ "outer_second_vid", "misc_parameters.outer_second_vid" },
	{ "outer_frag", "outer_headers.frag" },
	{ "outer_sip", "outer_headers.src_ipv4_src_ipv6.ipv4_layout.ipv4" },
	{ "outer_dip", "outer_headers.dst_ipv4_dst_ipv6.ipv4_layout.ipv4" },
	{ "outer_ip_protocol", "outer_headers.ip_protocol" },
	{ "outer_ip_ecn", "outer_headers.ip_ecn" },
	{ "outer_ip_dscp", "outer_headers.ip_dscp" },
	{ "outer_udp_sport", "outer_headers.udp_sport" },
	{ "outer_udp_dport", "outer_headers.udp_dport" },
	{ "outer_tcp_sport", "outer_headers.tcp_sport" },
	{ "outer_tcp_dport", "outer_headers.tcp_dport" },
	{ "outer_tcp_flags", "outer_headers.tcp_flags" },
	{ "outer_gre_protocol", "misc_parameters.gre_protocol" },
	{ "outer_gre_key", "misc_parameters.gre_key.key" },
	{ "outer_vxlan_vni", "misc_parameters.vxlan_vni" },
	{ "outer_geneve_vni", "misc_parameters.geneve_vni" },
	{ "inner_dmac", "inner_headers.dmac_47_16" },
	{ "inner_smac", "inner_headers.smac_15_0" },
	{ "inner_ether_type", "inner_headers.ethertype" },
	{ "inner_ip_version", "inner_headers.ip_version" },
	{ "inner_first_prio", "inner_headers.first_prio" },
	{ "inner_first_cfi", "inner_headers.first_cfi" },
	{ "inner_first_vid", "inner_headers.first_vid" },
	{ "inner_second_prio", "misc_parameters.inner_second_prio" },
	{ "inner_second_cfi", "misc_parameters.inner_second_cfi" },
	{ "inner_second_vid", "misc_parameters.inner_second_vid" },
	{ "inner_frag", "inner_headers.frag" },
	{ "inner_sip", "inner_headers.src_ipv4_src_ipv6.ipv4_layout.ipv4" },
	{ "inner_dip", "inner_headers.dst_ipv4_dst_ipv6.ipv4_layout.ipv4" },
	{ "inner_ip_protocol", "inner_headers.ip_protocol" },
	{ "inner_ip_ecn", "inner_headers.ip_ecn" },
	{ "inner_ip_dscp", "inner_headers.ip_dscp" },
	{ "inner_udp_sport", "inner_headers.udp_sport" },
	{ "inner_udp_dport", "inner_headers.udp_dport" },
	{ "inner_tcp_sport", "inner_headers.tcp_sport" },
	{ "inner_tcp_dport", "inner_headers.tcp_dport" },
	{ "inner_tcp_flags", "inner_headers.tcp_flags" },
};

static bool is_advertised(const struct prm_flow_table_prop_layout *rx, const char *name)
{
	size_t bit;
	const struct prm_row *row =
		core_rig_find_row(&prm_layout_flow_table_fields_supported, name, &bit);

	return prm_get_(prm_sub(rx, ft_field_support)->dw, bit, row->width);
}

static bool is_extracted(const char *name)
{
	size_t bit;

	core_rig_find_row(&prm_layout_fte_match_param, name, &bit);
	return emu_match_supported((unsigned)(bit / 32), 0x80000000u >> bit % 32);
}

TEST_EACH(caps, advertise_a_match_field_exactly_if_steering_extracts_it, struct match, matches)
{
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	EXPECT_EQ(is_extracted(row->field),
		  is_advertised(prm_sub(&r.emu->caps->flow, flow_table_properties_nic_receive),
				row->name));
	core_rig_close(&r);
}

static const struct type {
	const char *name;
	unsigned type;
	uint8_t status;
} types[] = {
	{ "general", GENERAL, PRM_STATUS_OK },
	{ "ethernet", ETHERNET, PRM_STATUS_OK },
	{ "odp", 2, PRM_STATUS_OK },
	{ "atomic", 3, PRM_STATUS_OK },
	{ "roce", 4, PRM_STATUS_OK },
	{ "flow_table", FLOW_TABLE, PRM_STATUS_OK },
	{ "qos", 0xc, PRM_STATUS_OK },
	{ "device_memory", 0xf, PRM_STATUS_OK },
	{ "events", EVENTS, PRM_STATUS_OK },
	{ "general_2", GENERAL_2, PRM_STATUS_OK },
	{ "eswitch", 9, PRM_STATUS_BAD_PARAM },
	{ "unknown", 0x3f, PRM_STATUS_BAD_PARAM },
};

TEST_EACH(caps, query_knows_the_types_that_a_kernel_asks_for, struct type, types)
{
	struct prm_query_hca_cap_out out;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	EXPECT_EQ(row->status, query_caps(&r, row->type << 1 | CURRENT, &out));
	EXPECT_EQ(row->status, query_caps(&r, row->type << 1, &out));
	EXPECT_EQ(row->status ? EMU_SYND_OP_MOD : 0, core_rig_get_syndrome(&r));
	core_rig_close(&r);
}

TEST(caps, announce_the_key_that_ends_a_scatter_list)
{
	struct prm_query_special_contexts_in in = { 0 };
	struct prm_query_special_contexts_out out;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "cx6dx,terminate_mkey=1" });
	EXPECT_EQ(1, emu_cap(r.emu, terminate_scatter_list_mkey));
	CORE_RIG_OK(&r, query_special_contexts, &in, &out);
	EXPECT_EQ(EMU_TERMINATE_MKEY, prm_get(&out, terminate_scatter_list_mkey));
	EXPECT_EQ(1, emu_set_option(r.adapter, "terminate_mkey", 0));
	EXPECT_EQ(0, emu_cap(r.emu, terminate_scatter_list_mkey));
	CORE_RIG_OK(&r, query_special_contexts, &in, &out);
	EXPECT_EQ(0, prm_get(&out, terminate_scatter_list_mkey));
	core_rig_close(&r);
}

TEST(caps, query_adapter_and_query_issi_answer)
{
	struct prm_query_adapter_in in = { 0 };
	struct prm_query_adapter_out out;
	struct prm_query_issi_in issi_in = { 0 };
	struct prm_query_issi_out issi;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .no_context = true });
	CORE_RIG_OK(&r, query_adapter, &in, &out);
	EXPECT_MEMEQ("EMU0000000001\0\0\0",
		     prm_bytes(prm_sub(&out, query_adapter_struct), vsd_contd_psid), 16);
	CORE_RIG_OK(&r, query_issi, &issi_in, &issi);
	EXPECT_EQ(1, prm_get(&issi, current_issi));
	core_rig_close(&r);
}
