/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_refuse.h"
#include "emu/base/caps.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/link.h"
#include "emu/queue/rq.h"

#define BAD PRM_STATUS_BAD_PARAM

FIXTURE(vport)
{
	struct core_rig r;
};
FIXTURE_SETUP(vport)
{
	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
}
FIXTURE_TEARDOWN(vport)
{
	core_rig_close(&self->r);
}

enum { OVERHEAD = 22 /* Ethernet and VLAN header, FCS */ };

struct modify {
	struct prm_modify_nic_vport_context_in head;
	prm_be32 mac[4];
};

TEST_F(vport, query_returns_the_state_of_the_link)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct {
		struct prm_query_nic_vport_context_out head;
		prm_be64 uc[1];
	} out;
	const struct prm_nic_vport_context *ctx = prm_sub(&out.head, nic_vport_context);

	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_nic_vport_context, &in,
					       sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(1500 + OVERHEAD, prm_get(ctx, mtu));
	EXPECT_EQ(0x0200, prm_get(prm_sub(ctx, permanent_address), mac_addr_47_32));
	EXPECT_EQ(1, prm_get(prm_sub(ctx, permanent_address), mac_addr_31_0));
	EXPECT_EQ(1, prm_get(ctx, allowed_list_size));
	EXPECT_EQ(0x020000000001, prm_be64_get(out.uc[0]));
	EXPECT_EQ(self->r.emu->link.promisc, prm_get(ctx, promisc_all));
}

TEST_F(vport, user_learns_that_there_is_no_bond)
{
	struct prm_query_lag_in in = { 0 };
	struct prm_query_lag_out out;
	const prm_be32 none[prm_lagc_bytes / 4] = { 0 };

	prm_set(&in, uid, self->r.uid);
	CORE_RIG_OK(&self->r, query_lag, &in, &out);
	EXPECT_MEMEQ(none, prm_sub(&out, ctx), sizeof(none));
	EXPECT_EQ(0, emu_cap(self->r.emu, lag_master));
	EXPECT_EQ(0, emu_cap(self->r.emu, num_lag_ports));
}

static const struct bond {
	const char *name;
	uint32_t lag;
	enum prm_lag_port_select_mode mode;
	unsigned port_1, port_2; /* the ports that the affinities 1 and 2 choose */
} bonds[] = {
	{ "hash", 1, PRM_LAG_PORT_SELECT_MODE_PORT_SELECT_FT, 0, 0 },
	{ "queue_affinity", 2, PRM_LAG_PORT_SELECT_MODE_QUEUE_AFFINITY, 1, 2 },
};

TEST_F_EACH(vport, user_learns_the_mode_of_a_bond, struct bond, bonds)
{
	struct prm_query_lag_in in = { 0 };
	struct prm_query_lag_out out;
	struct prm_query_hca_cap_in ask = { 0 };
	struct prm_query_hca_cap_out told;
	const struct prm_cmd_hca_cap *cap =
		(const struct prm_cmd_hca_cap *)&told.dw[prm_bit(&told, capability) / 32];

	EXPECT_EQ(0, emu_set_option(self->r.adapter, "lag", row->lag));
	prm_set(&in, uid, self->r.uid);
	CORE_RIG_OK(&self->r, query_lag, &in, &out);
	EXPECT_EQ(PRM_LAG_STATE_ACTIVE, prm_get(prm_sub(&out, ctx), lag_state));
	EXPECT_EQ(row->mode, prm_get(prm_sub(&out, ctx), port_select_mode));
	EXPECT_EQ(row->port_1, prm_get(prm_sub(&out, ctx), tx_remap_affinity_1));
	EXPECT_EQ(row->port_2, prm_get(prm_sub(&out, ctx), tx_remap_affinity_2));
	prm_set(&ask, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	CORE_RIG_OK(&self->r, query_hca_cap, &ask, &told);
	EXPECT_EQ(1, prm_get(cap, lag_master));
	EXPECT_EQ(1, prm_get(cap, lag_tx_port_affinity));
	EXPECT_EQ(2, prm_get(cap, num_lag_ports));
}

TEST_F(vport, modify_changes_only_selected_fields)
{
	struct prm_modify_nic_vport_context_in in = { 0 };
	struct prm_modify_nic_vport_context_out out;
	struct prm_nic_vport_context *ctx = prm_sub(&in, nic_vport_context);
	struct emu_link link;

	prm_set(prm_sub(&in, field_select), mtu, 1);
	prm_set(prm_sub(&in, field_select), promisc, 1);
	prm_set(ctx, mtu, 9000 + OVERHEAD);
	prm_set(ctx, promisc_all, 1);
	prm_set(prm_sub(ctx, permanent_address), mac_addr_31_0, 0x99); /* not selected */
	CORE_RIG_OK(&self->r, modify_nic_vport_context, &in, &out);
	emu_get_link(self->r.emu, &link);
	EXPECT_EQ(9000, link.mtu);
	EXPECT_TRUE(link.promisc);
	EXPECT_TRUE(link.allmulti);
	EXPECT_EQ(1, link.mac[5]);
	prm_set(prm_sub(&in, field_select), permanent_address, 1);
	CORE_RIG_OK(&self->r, modify_nic_vport_context, &in, &out);
	emu_get_link(self->r.emu, &link);
	EXPECT_EQ(0x99, link.mac[5]);
}

TEST_F(vport, query_lists_the_addresses_that_modify_set)
{
	struct modify in = { 0 };
	struct prm_modify_nic_vport_context_out out;
	struct prm_query_nic_vport_context_in ask = { 0 };
	struct {
		struct prm_query_nic_vport_context_out head;
		prm_be64 uc[2];
	} told;
	struct prm_nic_vport_context *ctx = prm_sub(&in.head, nic_vport_context);

	prm_set(prm_sub(&in.head, field_select), addresses_list, 1);
	prm_set(ctx, allowed_list_size, 2);
	prm_set_at(ctx, current_uc_mac_address, 0, 0x020000000077);
	prm_set_at(ctx, current_uc_mac_address, 1, 0x020000000078);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_modify_nic_vport_context, &in,
					       sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_nic_vport_context, &ask,
					       sizeof(ask), &told, sizeof(told)));
	EXPECT_EQ(2, prm_get(prm_sub(&told.head, nic_vport_context), allowed_list_size));
	EXPECT_EQ(0x020000000078, prm_be64_get(told.uc[1]));
	memset(&told, 0xee, sizeof(told));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(&self->r, PRM_OP_query_nic_vport_context, &ask,
					       sizeof(ask), &told, sizeof(told) - 8));
	EXPECT_EQ(2, prm_get(prm_sub(&told.head, nic_vport_context), allowed_list_size));
	EXPECT_EQ(0x020000000077, prm_be64_get(told.uc[0]));
	EXPECT_EQ(0xeeeeeeeeeeeeeeee, prm_be64_get(told.uc[1]));
}

static const struct list {
	const char *name;
	unsigned type, most;
	enum { UC_LIST, MC_LIST } cap;
} lists[] = {
	{ "unicast", 0, EMU_MAX_UC, UC_LIST },
	{ "multicast", 1, EMU_MAX_MC, MC_LIST },
};

TEST_F_EACH(vport, list_may_be_as_long_as_its_capability_says, struct list, lists)
{
	static struct {
		struct prm_modify_nic_vport_context_in head;
		prm_be64 mac[EMU_MAX_MC + 1];
	} in;
	const uint64_t log = row->cap == UC_LIST ? emu_cap(self->r.emu, log_max_current_uc_list)
						 : emu_cap(self->r.emu, log_max_current_mc_list);
	struct prm_modify_nic_vport_context_out out;
	struct prm_nic_vport_context *ctx = prm_sub(&in.head, nic_vport_context);

	EXPECT_EQ(row->most, 1u << log);
	prm_set(prm_sub(&in.head, field_select), addresses_list, 1);
	prm_set(ctx, allowed_list_type, row->type);
	for (unsigned n = row->most; n <= row->most + 1; n++) {
		SCOPED_TRACE("%u addresses", n);
		prm_set(ctx, allowed_list_size, n);
		EXPECT_EQ(n == row->most ? PRM_STATUS_OK : PRM_STATUS_BAD_PARAM,
			  core_rig_exec(&self->r, PRM_OP_modify_nic_vport_context, &in,
					sizeof(in.head) + n * sizeof(in.mac[0]), &out,
					sizeof(out)));
	}
}

static const struct core_rig_refusal bad[] = {
	{ "mtu_too_small", "nic_vport_context.mtu", 67 + OVERHEAD, BAD, EMU_SYND_SIZE },
	{ "mtu_too_large", "nic_vport_context.mtu", 65535, BAD, EMU_SYND_SIZE },
	{ "list_longer_than_announced", "nic_vport_context.allowed_list_size", 1,
	  PRM_STATUS_BAD_INP_LEN, EMU_SYND_LIST },
	{ "list_of_vlans", "nic_vport_context.allowed_list_type", 2, BAD, EMU_SYND_LIST },
};

TEST_F(vport, a_bad_change_is_refused_and_changes_nothing)
{
	struct modify in = { 0 };
	struct emu_link link;

	prm_set(prm_sub(&in.head, field_select), addresses_list, 1);
	prm_set(prm_sub(&in.head, field_select), mtu, 1);
	prm_set(prm_sub(&in.head, nic_vport_context), mtu, 2000);
	prm_set(prm_sub(&in.head, nic_vport_context), allowed_list_size, 2);
	FOR_EACH_ROW (row, bad) {
		core_rig_expect_refusal(&self->r, row, PRM_OP_modify_nic_vport_context, &in,
					sizeof(in));
		emu_get_link(self->r.emu, &link);
		EXPECT_EQ(1500, link.mtu);
		EXPECT_EQ(1, self->r.emu->addresses.n_uc);
	}
}

TEST_F(vport, state_follows_the_link)
{
	struct prm_query_vport_state_in in = { 0 };
	struct prm_query_vport_state_out out;
	struct emu_link link;

	CORE_RIG_OK(&self->r, query_vport_state, &in, &out);
	EXPECT_EQ(PRM_VPORT_STATE_UP, prm_get(&out, state));
	emu_get_link(self->r.emu, &link);
	link.up = false;
	emu_set_link(self->r.emu, &link);
	CORE_RIG_OK(&self->r, query_vport_state, &in, &out);
	EXPECT_EQ(PRM_VPORT_STATE_DOWN, prm_get(&out, state));
	EXPECT_EQ(1, prm_get(&out, admin_state));
}

static const struct user_query {
	const char *name;
	uint16_t opcode;
} user_queries[] = {
	{ "query_nic_vport", PRM_OP_query_nic_vport_context },
	{ "query_vport_state", PRM_OP_query_vport_state },
};

TEST_F_EACH(vport, device_may_refuse_a_query_of_users, struct user_query, user_queries)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;

	prm_set(&in, uid, self->r.uid);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(&self->r, row->opcode, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(1, emu_set_option(self->r.adapter, row->name, 0));
	EXPECT_EQ(BAD, core_rig_exec(&self->r, row->opcode, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(EMU_SYND_KERNEL_ONLY, prm_get(&out, syndrome));
	prm_set(&in, uid, 0);
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_exec(&self->r, row->opcode, &in, sizeof(in), &out, sizeof(out)));
}

TEST_F(vport, device_may_lack_eth_virt)
{
	EXPECT_EQ(1, emu_cap(self->r.emu, eth_virt));
	EXPECT_EQ(1, emu_set_option(self->r.adapter, "eth_virt", 0));
	EXPECT_EQ(0, emu_cap(self->r.emu, eth_virt));
}

TEST_F(vport, query_returns_and_clears_counters)
{
	struct prm_query_vport_counter_in in = { 0 };
	struct prm_query_vport_counter_out out;
	struct prm_query_vnic_env_in env_in = { 0 };
	struct prm_query_vnic_env_out env;

	self->r.emu->vport = (struct emu_vport_counters){
		.rx_uc_packets = 1,
		.rx_uc_bytes = 64,
		.tx_mc_packets = 2,
		.tx_mc_bytes = 200,
		.rx_bc_packets = 3,
		.rx_bc_bytes = 300,
		.rx_error = 4,
		.rx_steering_miss = 5,
		.rx_dropped = 6,
	};
	CORE_RIG_OK(&self->r, query_vnic_env, &env_in, &env);
	EXPECT_EQ(11, prm_get(prm_sub(&env, vport_env), nic_receive_steering_discard));
	prm_set(&in, clear, 1);
	CORE_RIG_OK(&self->r, query_vport_counter, &in, &out);
	EXPECT_EQ(64, prm_get(prm_sub(&out, received_eth_unicast), octets));
	EXPECT_EQ(2, prm_get(prm_sub(&out, transmitted_eth_multicast), packets));
	EXPECT_EQ(3, prm_get(prm_sub(&out, received_eth_broadcast), packets));
	EXPECT_EQ(4, prm_get(prm_sub(&out, received_errors), packets));
	EXPECT_EQ(0, self->r.emu->vport.rx_uc_packets);
}
