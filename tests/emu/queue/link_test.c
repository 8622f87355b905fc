/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "prm/cqe.h"

/*
 * The link of a port, on each wire. The engine looks at a doorbell later than the driver rings it:
 * the state at the doorbell counts. Here no engine runs before the link changes.
 */

enum { N = 10, FRAME = 64 };
enum { PORT, PEER }; /* PEER: only on the wire "pair" */

static const struct wire {
	const char *name, *spec;
} wires[] = {
	{ "loop", "loop" },
	{ "loop_with_pause", "loop,pause=on" },
	{ "loop_with_faults", "loop,dup=1/2,reorder=1/3" },
	{ "sink", "sink" },
	{ "pair", "pair" },
	{ "pcap", "pcap:out=/dev/null" },
};

struct link_rig {
	struct core_rig r;
	unsigned n_ports;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	void *mem;
	uint32_t lkey;
};

static void open_rig(struct link_rig *l, const char *wire)
{
	l->n_ports = strcmp(wire, "pair") ? 1 : 2;
	core_rig_open(&l->r, &(struct core_rig_config){ .wire = wire, .n_ports = l->n_ports });
	l->cq = core_rig_make_cq(&l->r, 6);
	l->sq = core_rig_make_sq(&l->r, 6, l->cq.cqn);
	l->mem = core_rig_alloc(&l->r, 4096);
	l->lkey = core_rig_make_mkey(&l->r, l->mem, 4096, false);
}

static void post_frames(struct link_rig *l)
{
	for (unsigned i = 0; i < N; i++)
		core_rig_post_send(&l->r, &l->sq, l->lkey, l->mem, FRAME);
}

static void set_up(struct link_rig *l, unsigned port, bool up)
{
	struct emu *emu = emu_port(l->r.adapter, port);
	struct emu_link link;

	emu_get_link(emu, &link);
	link.up = up;
	emu_set_link(emu, &link);
}

static void run_engine(struct link_rig *l)
{
	for (unsigned port = 0; port < l->n_ports; port++)
		while (emu_poll(emu_port(l->r.adapter, port), 256))
			;
}

/* The device drops the frames, and completes their WQEs all the same. */
static void expect_completions(struct link_rig *l, unsigned n)
{
	const struct prm_cqe *cqe;
	unsigned got = 0;

	while ((cqe = core_rig_take_cqe(&l->cq))) {
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
		got++;
	}
	EXPECT_EQ(n, got);
}

TEST_EACH(link, frames_of_a_port_that_is_down_never_leave, struct wire, wires)
{
	const struct emu_vport_counters *v, *to;
	struct link_rig l;

	open_rig(&l, row->spec);
	v = &l.r.emu->vport;
	to = &emu_port(l.r.adapter, l.n_ports - 1)->vport;
	set_up(&l, PORT, false);
	post_frames(&l);
	set_up(&l, PORT, true);
	run_engine(&l);
	EXPECT_EQ(N, v->tx_link_down);
	EXPECT_EQ(0, v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets);
	EXPECT_EQ(0, to->rx_uc_packets + to->rx_mc_packets + to->rx_bc_packets + to->rx_link_down);
	expect_completions(&l, N);
	EXPECT_EQ(0, core_rig_count_mistakes(&l.r));
	core_rig_close(&l.r);
}

TEST_EACH(link, frames_from_before_the_link_went_down_leave, struct wire, wires)
{
	const struct emu_vport_counters *v;
	struct link_rig l;

	open_rig(&l, row->spec);
	v = &l.r.emu->vport;
	post_frames(&l);
	set_up(&l, PORT, false);
	run_engine(&l);
	EXPECT_EQ(0, v->tx_link_down);
	EXPECT_EQ(N, v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets);
	expect_completions(&l, N);
	core_rig_close(&l.r);
}

/* The other port sends them: the link of one end of a pair does not change that of the other. */
TEST(link, port_that_is_down_receives_nothing_from_its_peer)
{
	const struct emu_vport_counters *v, *peer;
	struct link_rig l;

	open_rig(&l, "pair");
	v = &l.r.emu->vport;
	peer = &emu_port(l.r.adapter, PEER)->vport;
	set_up(&l, PEER, false);
	post_frames(&l);
	set_up(&l, PEER, true);
	run_engine(&l);
	EXPECT_EQ(N, v->tx_uc_packets + v->tx_mc_packets + v->tx_bc_packets);
	EXPECT_EQ(N, peer->rx_link_down);
	EXPECT_EQ(0, peer->rx_uc_packets + peer->rx_mc_packets + peer->rx_bc_packets);
	core_rig_close(&l.r);
}

TEST(link, paused_engine_executes_nothing_when_the_link_changes)
{
	struct link_rig l;

	open_rig(&l, "loop");
	post_frames(&l);
	emu_set_paused(l.r.adapter, true);
	set_up(&l, PORT, false);
	EXPECT_EQ(NULL, core_rig_take_cqe(&l.cq));
	emu_set_paused(l.r.adapter, false);
	run_engine(&l);
	EXPECT_EQ(N, l.r.emu->vport.tx_link_down);
	core_rig_close(&l.r);
}
