/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_refuse.h"
#include "emu/base/profile.h"
#include "emu/firmware/refuse.h"
#include "emu/queue/port.h"
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

/* Each field of the context, and what it changes. The first value is that of a new port. */
static const struct flag {
	const char *name, *select, *field;
	bool new;
} flags[] = {
	{ "unicast_loopback_off", "field_select.disable_uc_local_lb",
	  "nic_vport_context.disable_uc_local_lb", true },
	{ "multicast_loopback_off", "field_select.disable_mc_local_lb",
	  "nic_vport_context.disable_mc_local_lb", true },
	{ "promiscuous", "field_select.promisc", "nic_vport_context.promisc_uc", false },
	{ "all_multicast", "field_select.promisc", "nic_vport_context.promisc_mc", false },
};

static bool get_flag(struct core_rig *r, const char *field)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;
	const struct prm_row *row;
	size_t bit;

	CORE_RIG_OK(r, query_nic_vport_context, &in, &out);
	row = core_rig_find_row(&prm_layout_query_nic_vport_context_out, field, &bit);
	return prm_get_(out.dw, bit, row->width);
}

TEST_F_EACH(vport, flag_is_changed_only_if_it_is_selected, struct flag, flags)
{
	struct core_rig *r = &self->r;
	struct prm_modify_nic_vport_context_out out;

	r->emu->link.promisc = r->emu->link.allmulti = false;
	EXPECT_EQ(row->new, get_flag(r, row->field));
	for (int selected = 0; selected < 2; selected++) {
		struct prm_modify_nic_vport_context_in in = { 0 };

		core_rig_set_field(&in, PRM_OP_modify_nic_vport_context, row->field, !row->new);
		core_rig_set_field(&in, PRM_OP_modify_nic_vport_context, row->select,
				   (uint64_t)selected);
		CORE_RIG_OK(r, modify_nic_vport_context, &in, &out);
		EXPECT_EQ(selected ? !row->new : row->new, get_flag(r, row->field));
		FOR_EACH_ROW (other, flags)
			if (other != row)
				EXPECT_EQ(other->new, get_flag(r, other->field));
	}
}

/* The three GUIDs of a port are the EUI-64 of its MAC: ff:fe goes between its halves. */
TEST_F(vport, query_returns_guids_of_the_mac_and_the_inline_mode)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;
	const struct prm_nic_vport_context *ctx = prm_sub(&out, nic_vport_context);
	static const uint64_t guid = 0x123456fffe789abc;

	memcpy(self->r.emu->link.mac, "\x12\x34\x56\x78\x9a\xbc", EMU_MAC_BYTES);
	CORE_RIG_OK(&self->r, query_nic_vport_context, &in, &out);
	EXPECT_EQ(guid, prm_get(ctx, node_guid));
	EXPECT_EQ(guid, prm_get(ctx, port_guid));
	EXPECT_EQ(guid, prm_get(ctx, system_image_guid));
	EXPECT_EQ(0x1234, prm_get(prm_sub(ctx, permanent_address), mac_addr_47_32));
	EXPECT_EQ(0x56789abc, prm_get(prm_sub(ctx, permanent_address), mac_addr_31_0));
	EXPECT_EQ(emu_model(self->r.emu)->min_inline, prm_get(ctx, min_wqe_inline_mode));
}

TEST_F(vport, query_refuses_an_unknown_list)
{
	static const struct core_rig_refusal unknown = { "unknown", "allowed_list_type", 3, BAD,
							 EMU_SYND_LIST };
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;

	core_rig_expect_refusal(&self->r, &unknown, PRM_OP_query_nic_vport_context, &in,
				sizeof(in));
	prm_set(&in, allowed_list_type, PRM_NIC_VPORT_LIST_TYPE_VLAN);
	CORE_RIG_OK(&self->r, query_nic_vport_context, &in, &out);
	EXPECT_EQ(0, prm_get(prm_sub(&out, nic_vport_context), allowed_list_size));
}

static const struct core_rig_refusal bad[] = {
	{ "list_without_its_bit", "field_select.addresses_list", 0, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_LIST },
	{ "roce", "nic_vport_context.roce_en", 1, BAD, EMU_SYND_NO_CAP },
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
	prm_set(prm_sub(&in.head, field_select), roce_en, 1);
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

TEST_F(vport, mtu_may_be_the_smallest_and_the_largest)
{
	static const uint16_t mtus[] = { EMU_MTU_MIN, EMU_MTU_MAX };
	struct prm_modify_nic_vport_context_out out;

	for (size_t i = 0; i < 2; i++) {
		struct prm_modify_nic_vport_context_in in = { 0 };

		prm_set(prm_sub(&in, field_select), mtu, 1);
		prm_set(prm_sub(&in, nic_vport_context), mtu, mtus[i] + OVERHEAD);
		CORE_RIG_OK(&self->r, modify_nic_vport_context, &in, &out);
		EXPECT_EQ(mtus[i], self->r.emu->link.mtu);
	}
}

TEST_F(vport, state_is_that_of_its_own_vport)
{
	static const struct core_rig_refusal other = { "eswitch", "op_mod", 1, BAD,
						       EMU_SYND_OP_MOD };
	struct prm_query_vport_state_in in = { 0 };

	core_rig_expect_refusal(&self->r, &other, PRM_OP_query_vport_state, &in, sizeof(in));
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
