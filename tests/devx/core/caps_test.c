/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "ct.h"
#include "devx/cmd.h"
#include "devx_rig.h"
#include "needs_emu.h"
#include "prm/prm.h"

/* Capabilities (caps.c), and functions that refuse a feature without its capability. */

FIXTURE(caps)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(caps)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(caps)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

TEST_F(caps, capabilities_are_those_of_an_ethernet_adapter)
{
	const struct devx_caps *caps = &self->rig.dev.caps;

	EXPECT_LE(5, caps->log_max_cq_sz);
	EXPECT_LE(5, caps->log_max_wq_sz);
	EXPECT_LE(192, caps->max_wqe_sz_sq);
	EXPECT_LE(16, caps->max_wqe_sz_rq);
	EXPECT_LE(caps->sq_ts_format, PRM_HCA_CAP_TS_FORMAT_FREE_RUNNING_AND_REAL_TIME);
	EXPECT_LE(caps->wqe_inline_mode, PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED);
	EXPECT_EQ(1, caps->num_ports);
	EXPECT_TRUE(caps->rx_tables);
	EXPECT_TRUE(caps->rx_user_rules);
	EXPECT_TRUE(caps->match_dmac);
}

/* Reads the page @page of the current or maximum capabilities. */
static void query_page(struct devx_rig *rig, unsigned page, unsigned max,
		       struct prm_query_hca_cap_out *out)
{
	struct prm_query_hca_cap_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, page << 1 | max);
	EXPECT_EQ(0, devx_cmd_general(&rig->dev, &in, sizeof(in), out, sizeof(*out)));
}

/* emu's profile realtime has a larger maximum of some, which a kernel did not enable. */
TEST_F(caps, capabilities_are_the_current_ones)
{
	struct prm_query_hca_cap_out out, max;
	const struct prm_cmd_hca_cap *now = (void *)&out.dw[prm_bit(&out, capability) / 32];
	const struct prm_cmd_hca_cap *most = (void *)&max.dw[prm_bit(&max, capability) / 32];
	const struct devx_caps *caps = &self->rig.dev.caps;

	query_page(&self->rig, PRM_HCA_CAP_PAGE_GENERAL, PRM_HCA_CAP_OP_MOD_CURRENT, &out);
	EXPECT_EQ(prm_get(now, log_max_cq_sz), caps->log_max_cq_sz);
	EXPECT_EQ(prm_get(now, log_max_wq_sz), caps->log_max_wq_sz);
	EXPECT_EQ(prm_get(now, log_max_rqt_size), caps->log_max_rqt_size);
	EXPECT_EQ(prm_get(now, cq_oi), caps->cq_oi);
	EXPECT_EQ(prm_get(now, relaxed_ordering_write), caps->relaxed_ordering_write);
	query_page(&self->rig, PRM_HCA_CAP_PAGE_GENERAL, PRM_HCA_CAP_OP_MOD_MAX, &max);
	EXPECT_LE(caps->log_max_cq_sz, prm_get(most, log_max_cq_sz));
	EXPECT_LE(caps->log_max_wq_sz, prm_get(most, log_max_wq_sz));
	EXPECT_LE(caps->cq_oi, prm_get(most, cq_oi));
}

static bool can_match_inner_version(void)
{
	struct devx_dev dev = { 0 };
	bool can;

	EXPECT_EQ(0, devx_dev_open(&dev, devx_rig_get_ibdev()));
	can = dev.caps.match_inner_ip_version;
	devx_dev_close(&dev);
	return can;
}

/* The e-switch manager of a function may take the capability away. */
TEST_F(caps, match_inner_ip_version_is_that_of_the_receive_tables)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to change a capability");
	EXPECT_TRUE(can_match_inner_version());
	EXPECT_EQ(1, emu->option("inner_ip_version", 0));
	EXPECT_FALSE(can_match_inner_version());
	EXPECT_EQ(0, emu->option("inner_ip_version", 1));
}

/* net_devx prints this reason, and creates its TIRs without inner headers. */
TEST_F(caps, refused_inner_headers_name_the_eswitch_manager)
{
	struct devx_rig *rig = &self->rig;
	const struct devx_tir_attr attr = { .td = &rig->td, .rq = &rig->rq, .inner_headers = true };
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_tir tir = { 0 };

	NEEDS_EMU("to forbid inner headers");
	EXPECT_EQ(1, emu->option("inner_hashing", 0));
	devx_rig_expect_error(&rig->dev, -EREMOTEIO, "not enabled by the eswitch manager",
			      devx_tir_create(&tir, &rig->dev, &attr));
	EXPECT_EQ(PRM_OP_create_tir, rig->dev.refusal.opcode);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, rig->dev.refusal.status);
	EXPECT_EQ(0, emu->option("inner_hashing", 1));
}

static int create_rule_without_user_rules(struct devx_rig *rig)
{
	rig->dev.caps.rx_user_rules = false;
	return devx_flow_create(&(struct devx_flow_rule){ 0 }, &rig->dev, &(struct devx_match){ 0 },
				0, &rig->tir);
}

static int create_rule_without_dmac(struct devx_rig *rig)
{
	const struct devx_match match = DEVX_MATCH_BROADCAST;

	rig->dev.caps.match_dmac = false;
	return devx_flow_create(&(struct devx_flow_rule){ 0 }, &rig->dev, &match, 0, &rig->tir);
}

static int create_rq_without_vlan_cap(struct devx_rig *rig)
{
	rig->dev.caps.vlan_cap = false;
	return devx_rq_create(&(struct devx_rq){ 0 }, &rig->dev,
			      &(struct devx_rq_attr){ .log2_n = 3, .cq = &rig->recv_cq });
}

static int strip_vlan_without_vlan_cap(struct devx_rig *rig)
{
	rig->dev.caps.vlan_cap = false;
	EXPECT_EQ(0, devx_rq_set_keep_vlan(&rig->rq, true));
	return devx_rq_set_keep_vlan(&rig->rq, false);
}

static int create_tir_without_tunnels(struct devx_rig *rig)
{
	rig->dev.caps.tunnel_stateless_vxlan = rig->dev.caps.tunnel_stateless_gre =
		rig->dev.caps.tunnel_stateless_ip_over_ip = false;
	return devx_tir_create(
		&(struct devx_tir){ 0 }, &rig->dev,
		&(struct devx_tir_attr){ .td = &rig->td, .rq = &rig->rq, .inner_headers = true });
}

static int create_rq_without_scatter_fcs(struct devx_rig *rig)
{
	rig->dev.caps.scatter_fcs = false;
	return devx_rq_create(
		&(struct devx_rq){ 0 }, &rig->dev,
		&(struct devx_rq_attr){
			.log2_n = 3, .cq = &rig->recv_cq, .keep_vlan = true, .scatter_fcs = true });
}

static int create_sq_without_multi_pkt(struct devx_rig *rig)
{
	rig->dev.caps.multi_pkt_send_wqe = 0;
	rig->dev.caps.enhanced_multi_pkt_send_wqe = false;
	return devx_sq_create(&(struct devx_sq){ 0 }, &rig->dev,
			      &(struct devx_sq_attr){ .log2_n = 3,
						      .cq = &rig->send_cq,
						      .tis = &rig->tis,
						      .uar = &rig->uar,
						      .allow_multi_pkt = true });
}

static int create_cq_without_oi(struct devx_rig *rig)
{
	rig->dev.caps.cq_oi = false;
	return devx_cq_create(
		&(struct devx_cq){ 0 }, &rig->dev,
		&(struct devx_cq_attr){ .log2_n = 3, .uar = &rig->uar, .overrun_ignore = true });
}

static int read_counters_without_cap(struct devx_rig *rig)
{
	rig->dev.caps.vport_counters = false;
	return devx_port_read_counters(&rig->dev, &(struct devx_port_counters){ 0 });
}

static int refresh_without_self_lb_en(struct devx_rig *rig)
{
	rig->dev.caps.self_lb_en_modifiable = rig->dev.caps.tis_tir_td_order = false;
	return devx_tir_refresh_self_lb(&rig->tir);
}

static const struct feature {
	const char *name;
	int (*call)(struct devx_rig *rig);
	const char *says;
} features[] = {
	{ "rules", create_rule_without_user_rules, "flow_table_modify" },
	{ "dmac", create_rule_without_dmac, "outer_dmac" },
	{ "vlan", create_rq_without_vlan_cap, "vlan_cap" },
	{ "vlan_change", strip_vlan_without_vlan_cap, "vlan_cap" },
	{ "tunnels", create_tir_without_tunnels, "tunnel_stateless_" },
	{ "fcs", create_rq_without_scatter_fcs, "scatter_fcs" },
	{ "multi_packet", create_sq_without_multi_pkt, "enhanced_multi_pkt_send_wqe" },
	{ "overruns", create_cq_without_oi, "cq_oi" },
	{ "own_frames", refresh_without_self_lb_en, "self_lb_en_modifiable" },
	{ "port_counters", read_counters_without_cap, "vport_counters" },
};

TEST_F_EACH(caps, refusal_names_the_missing_capability, struct feature, features)
{
	devx_rig_expect_error(&self->rig.dev, -ENOTSUP, row->says, row->call(&self->rig));
}
