/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frames that reach the receive rules: the switch before a port, and local loopback.
 */
#include <string.h>

#include "core_rig_post.h"
#include "core_rig_refuse.h"
#include "core_rig_steer.h"
#include "emu/queue/port.h"
#include "udp_frame.h"

enum { FRAME = 60, LOG_N = 3, BUFFER = 2048 };

enum address { OWN, LISTED, FOREIGN, GROUP_LISTED, GROUP, BROADCAST, N_ADDRESSES };

static const uint8_t mac[N_ADDRESSES][EMU_MAC_BYTES] = {
	[OWN] = { 0x02, 0, 0, 0, 0, 0x01 },
	[LISTED] = { 0x02, 0, 0, 0, 0, 0x55 },
	[FOREIGN] = { 0x02, 0, 0, 0, 0, 0x77 },
	[GROUP_LISTED] = { 0x01, 0, 0x5e, 0, 0, 0x05 },
	[GROUP] = { 0x01, 0, 0x5e, 0, 0, 0x06 },
	[BROADCAST] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
};

static uint64_t read_mac(enum address at)
{
	uint64_t v = 0;

	for (int i = 0; i < EMU_MAC_BYTES; i++)
		v = v << 8 | mac[at][i];
	return v;
}

/* ---- the switch ------------------------------------------------------------------------- */

/* Sets a list of the vport as mlx5e does. */
static void set_list(struct core_rig *r, unsigned type, enum address a, enum address b)
{
	struct {
		struct prm_modify_nic_vport_context_in head;
		prm_be64 mac[2];
	} in = { 0 };
	struct prm_modify_nic_vport_context_out out;
	struct prm_nic_vport_context *ctx = prm_sub(&in.head, nic_vport_context);

	prm_set(prm_sub(&in.head, field_select), addresses_list, 1);
	prm_set(ctx, allowed_list_type, type);
	prm_set(ctx, allowed_list_size, 2);
	in.mac[0] = prm_be64_of(read_mac(a));
	in.mac[1] = prm_be64_of(read_mac(b));
	EXPECT_EQ(PRM_STATUS_OK, core_rig_exec(r, PRM_OP_modify_nic_vport_context, &in, sizeof(in),
					       &out, sizeof(out)));
}

static void set_flags(struct core_rig *r, bool promisc, bool allmulti)
{
	struct prm_modify_nic_vport_context_in in = { 0 };
	struct prm_modify_nic_vport_context_out out;

	prm_set(prm_sub(&in, field_select), promisc, 1);
	prm_set(prm_sub(&in, nic_vport_context), promisc_all, promisc);
	prm_set(prm_sub(&in, nic_vport_context), promisc_mc, allmulti);
	CORE_RIG_OK(r, modify_nic_vport_context, &in, &out);
}

static void receive_frame(struct core_rig *r, const uint8_t *frame)
{
	emu_lock(r->adapter);
	emu_port_rx(r->emu, &(struct emu_frame){ frame, FRAME }, false);
	emu_unlock(r->adapter);
}

#define BIT(address) (1u << (address))
#define ALL (BIT(N_ADDRESSES) - 1)
#define LISTS (BIT(OWN) | BIT(LISTED) | BIT(GROUP_LISTED) | BIT(BROADCAST))

static const struct filter {
	const char *name, *profile;
	bool promisc, allmulti;
	unsigned passed; /* bits of enum address */
} filters[] = {
	{ "no_switch", "cx6dx", false, false, ALL },
	{ "multi_pf", "multi-pf", false, false, ALL & ~BIT(FOREIGN) },
	{ "multi_pf_promiscuous", "multi-pf", true, false, ALL },
	{ "untrusted", "vf", false, false, LISTS },
	{ "untrusted_promiscuous", "vf", true, false, LISTS },
	{ "untrusted_allmulti", "vf", false, true, LISTS },
	{ "trusted", "vf-trusted", false, false, LISTS },
	{ "trusted_promiscuous", "vf-trusted", true, false, ALL },
	{ "trusted_allmulti", "vf-trusted", false, true, ALL & ~BIT(FOREIGN) },
};

TEST_EACH(port, switch_passes_frames_by_their_address, struct filter, filters)
{
	uint8_t frame[FRAME];
	struct core_rig r;
	struct core_rig_rx rx;
	unsigned passed = 0;

	core_rig_open(&r, &(struct core_rig_config){ .profile = row->profile });
	rx = core_rig_make_rx(&r, LOG_N, BUFFER);
	set_list(&r, PRM_NIC_VPORT_LIST_TYPE_UC, OWN, LISTED);
	set_list(&r, PRM_NIC_VPORT_LIST_TYPE_MC, GROUP_LISTED, BROADCAST);
	set_flags(&r, row->promisc, row->allmulti);
	udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 1 });
	for (unsigned i = 0; i < N_ADDRESSES; i++) {
		memcpy(frame, mac[i], EMU_MAC_BYTES);
		receive_frame(&r, frame);
		if (core_rig_take_cqe(&rx.cq))
			passed |= BIT(i);
	}
	EXPECT_EQ(row->passed, passed);
	EXPECT_EQ(N_ADDRESSES - (unsigned)__builtin_popcount(passed), r.emu->vport.rx_filtered);
	core_rig_close(&r);
}

TEST(port, switch_knows_the_mac_of_the_port_before_a_kernel_lists_it)
{
	uint8_t frame[FRAME];
	struct core_rig r;
	struct emu_link link;

	core_rig_open(&r, &(struct core_rig_config){ .profile = "vf" });
	udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 1 });
	receive_frame(&r, frame);
	EXPECT_EQ(0, r.emu->vport.rx_filtered);
	emu_get_link(r.emu, &link);
	memcpy(link.mac, mac[FOREIGN], EMU_MAC_BYTES);
	emu_set_link(r.emu, &link);
	receive_frame(&r, frame);
	EXPECT_EQ(1, r.emu->vport.rx_filtered);
	memcpy(frame, mac[FOREIGN], EMU_MAC_BYTES);
	receive_frame(&r, frame);
	EXPECT_EQ(1, r.emu->vport.rx_filtered);
	core_rig_close(&r);
}

/* ---- counters --------------------------------------------------------------------------- */

/* Each kind of frame, sent by port 0 and received by port 1, has counters of its own. */
TEST(port, counts_frames_by_the_kind_of_their_address)
{
	const struct emu_vport_counters *tx, *rx;
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "pair", .n_ports = 2 });
	tx = &r.adapter->port[0]->vport;
	rx = &r.adapter->port[1]->vport;
	for (unsigned i = 0; i < N_ADDRESSES; i++) {
		uint8_t frame[FRAME + N_ADDRESSES];

		udp_frame_write(frame, FRAME, &(struct udp_frame){ .fill = 1 });
		memcpy(frame, mac[i], EMU_MAC_BYTES);
		emu_lock(r.adapter);
		EXPECT_TRUE(emu_port_tx(r.emu, &(struct emu_frame){ frame, FRAME + i }, NULL));
		emu_unlock(r.adapter);
	}
	EXPECT_EQ(3, tx->tx_uc_packets);
	EXPECT_EQ(3 * FRAME + OWN + LISTED + FOREIGN, tx->tx_uc_bytes);
	EXPECT_EQ(2, tx->tx_mc_packets);
	EXPECT_EQ(2 * FRAME + GROUP_LISTED + GROUP, tx->tx_mc_bytes);
	EXPECT_EQ(1, tx->tx_bc_packets);
	EXPECT_EQ(FRAME + BROADCAST, tx->tx_bc_bytes);
	EXPECT_EQ(tx->tx_uc_packets, rx->rx_uc_packets);
	EXPECT_EQ(tx->tx_uc_bytes, rx->rx_uc_bytes);
	EXPECT_EQ(tx->tx_mc_packets, rx->rx_mc_packets);
	EXPECT_EQ(tx->tx_mc_bytes, rx->rx_mc_bytes);
	EXPECT_EQ(tx->tx_bc_packets, rx->rx_bc_packets);
	EXPECT_EQ(tx->tx_bc_bytes, rx->rx_bc_bytes);
	core_rig_close(&r);
}

TEST(port, drops_frames_of_a_wrong_length)
{
	uint8_t frame[2048] = { 0x02 };
	struct core_rig r;

	core_rig_open(&r, &(struct core_rig_config){ .wire = "sink", .mtu = 1500 });
	emu_lock(r.adapter);
	emu_port_rx(r.emu, &(struct emu_frame){ frame, EMU_ETH_HEADER - 1 }, false);
	EXPECT_EQ(1, r.emu->vport.rx_error);
	emu_port_rx(r.emu, &(struct emu_frame){ frame, EMU_ETH_HEADER }, false);
	emu_port_rx(r.emu, &(struct emu_frame){ frame, emu_port_limit(r.emu) }, false);
	EXPECT_EQ(2, r.emu->vport.rx_uc_packets);
	emu_port_rx(r.emu, &(struct emu_frame){ frame, emu_port_limit(r.emu) + 1 }, false);
	EXPECT_EQ(1, r.emu->vport.rx_oversize);
	emu_port_tx(r.emu, &(struct emu_frame){ frame, emu_port_limit(r.emu) }, NULL);
	EXPECT_EQ(1, r.emu->vport.tx_uc_packets);
	emu_port_tx(r.emu, &(struct emu_frame){ frame, emu_port_limit(r.emu) + 1 }, NULL);
	EXPECT_EQ(1, r.emu->vport.tx_oversize);
	EXPECT_EQ(1, r.emu->vport.tx_uc_packets);
	EXPECT_EQ(2, r.emu->vport.rx_steering_miss);
	emu_unlock(r.adapter);
	core_rig_close(&r);
}

/* ---- local loopback --------------------------------------------------------------------- */

FIXTURE(loopback)
{
	struct core_rig r;
	struct core_rig_rx rx;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint32_t lkey;
	uint8_t *frame;
};

FIXTURE_SETUP(loopback)
{
	struct core_rig *r = &self->r;

	core_rig_open(r, &(struct core_rig_config){ .wire = "sink" });
	self->rx = core_rig_make_rx(r, LOG_N, BUFFER);
	self->cq = core_rig_make_cq(r, LOG_N);
	self->sq = core_rig_make_sq(r, LOG_N, self->cq.cqn);
	self->frame = core_rig_alloc(r, FRAME);
	self->lkey = core_rig_make_mkey(r, self->frame, FRAME, false);
	udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .fill = 1 });
}

FIXTURE_TEARDOWN(loopback)
{
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	core_rig_close(&self->r);
}

/* Turns local loopback on and off as mlx5_core's mlx5_nic_vport_update_local_lb does. */
static void set_loopback(struct core_rig *r, bool unicast, bool groups)
{
	struct prm_modify_nic_vport_context_in in = { 0 };
	struct prm_modify_nic_vport_context_out out;

	prm_set(prm_sub(&in, field_select), disable_uc_local_lb, 1);
	prm_set(prm_sub(&in, field_select), disable_mc_local_lb, 1);
	prm_set(prm_sub(&in, nic_vport_context), disable_uc_local_lb, !unicast);
	prm_set(prm_sub(&in, nic_vport_context), disable_mc_local_lb, !groups);
	CORE_RIG_OK(r, modify_nic_vport_context, &in, &out);
}

/* Sends a frame to each address. Return: the addresses whose frame came back */
static unsigned send_all(struct ct_fix_loopback *self)
{
	unsigned back = 0;

	for (unsigned i = 0; i < N_ADDRESSES; i++) {
		memcpy(self->frame, mac[i], EMU_MAC_BYTES);
		core_rig_post_send(&self->r, &self->sq, self->lkey, self->frame, FRAME);
		emu_poll(self->r.emu, 16);
		EXPECT_NE(NULL, core_rig_take_cqe(&self->cq));
		if (core_rig_take_cqe(&self->rx.cq))
			back |= BIT(i);
	}
	return back;
}

/* Sends from an SQ in another transport domain than that of the TIR, as another context would. */
static void use_other_domain(struct ct_fix_loopback *self)
{
	struct prm_alloc_transport_domain_in td_in = { 0 };
	struct prm_alloc_transport_domain_out td;
	struct prm_create_tis_in tis_in = { 0 };
	struct prm_create_tis_out tis;
	struct core_rig *r = &self->r;

	prm_set(&td_in, uid, r->uid);
	CORE_RIG_OK(r, alloc_transport_domain, &td_in, &td);
	prm_set(&tis_in, uid, r->uid);
	prm_set(prm_sub(&tis_in, ctx), transport_domain, prm_get(&td, transport_domain));
	CORE_RIG_OK(r, create_tis, &tis_in, &tis);
	r->tis = (uint32_t)prm_get(&tis, tisn);
	self->sq = core_rig_make_sq(r, LOG_N, self->cq.cqn);
}

#define GROUPS (BIT(GROUP_LISTED) | BIT(GROUP) | BIT(BROADCAST))

static const struct loop {
	const char *name;
	bool unicast, groups; /* local loopback of the vport */
	bool other_domain;    /* the TIR has another transport domain than the SQ */
	uint8_t self_lb;      /* self_lb_block of the TIR */
	unsigned back;        /* bits of enum address */
} loops[] = {
	{ "off", false, false, true, 3, 0 },
	{ "another_domain", true, true, true, 0, BIT(OWN) | GROUPS },
	{ "another_domain_groups_only", false, true, true, 0, GROUPS },
	{ "another_domain_unicast_only", true, false, true, 0, BIT(OWN) },
	{ "own_domain", true, true, false, 0, 0 },
	{ "own_domain_lets_unicast_in", true, true, false, PRM_TIRC_SELF_LB_BLOCK_UNICAST,
	  BIT(OWN) },
	{ "own_domain_lets_groups_in", true, true, false, PRM_TIRC_SELF_LB_BLOCK_MULTICAST,
	  GROUPS },
};

TEST_F_EACH(loopback, brings_own_frames_back, struct loop, loops)
{
	const struct emu_vport_counters *v = &self->r.emu->vport;

	set_loopback(&self->r, row->unicast, row->groups);
	if (row->other_domain)
		use_other_domain(self);
	core_rig_set_self_lb(&self->r, self->rx.tir, row->self_lb);
	EXPECT_EQ(row->back, send_all(self));
	EXPECT_EQ(__builtin_popcount(row->back), v->rx_own);
	EXPECT_EQ(v->rx_own, v->rx_uc_packets + v->rx_mc_packets + v->rx_bc_packets);
	EXPECT_EQ(row->other_domain ? 0 : __builtin_popcount((BIT(OWN) | GROUPS) & ~row->back),
		  v->rx_own_blocked);
	EXPECT_EQ(N_ADDRESSES, v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets);
}

TEST_F(loopback, tir_blocks_sqs_that_are_older_than_its_last_change)
{
	struct core_rig *r = &self->r;

	set_loopback(r, true, true);
	EXPECT_EQ(BIT(OWN) | GROUPS, send_all(self)); /* the TIR is older than the SQ */
	core_rig_set_self_lb(r, self->rx.tir, 0);
	EXPECT_EQ(0, send_all(self));
	self->sq = core_rig_make_sq(r, LOG_N, self->cq.cqn);
	EXPECT_EQ(BIT(OWN) | GROUPS, send_all(self));
	emu_set_option(r->adapter, "tis_tir_td_order", 1);
	EXPECT_EQ(0, send_all(self));
}

TEST_F(loopback, query_returns_its_state)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out;

	set_loopback(&self->r, true, false);
	CORE_RIG_OK(&self->r, query_nic_vport_context, &in, &out);
	EXPECT_EQ(0, prm_get(prm_sub(&out, nic_vport_context), disable_uc_local_lb));
	EXPECT_EQ(1, prm_get(prm_sub(&out, nic_vport_context), disable_mc_local_lb));
	emu_power_on(self->r.emu);
	CORE_RIG_OK(&self->r, query_nic_vport_context, &in, &out);
	EXPECT_EQ(1, prm_get(prm_sub(&out, nic_vport_context), disable_uc_local_lb));
}
