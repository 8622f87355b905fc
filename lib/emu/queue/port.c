/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: sends frames to the wire, and delivers frames from the wire to the RQs that steering
 * chooses.
 */
#include "emu/queue/port.h"

#include <string.h>

#include "emu/base/profile.h"
#include "emu/queue/rq.h"
#include "emu/queue/sq.h"
#include "emu/steering/rss.h"
#include "emu/steering/steer.h"
#include "emu/wire/wire.h"

static bool is_broadcast(const struct emu_frame *f)
{
	static const uint8_t all[EMU_MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return !memcmp(f->data, all, sizeof(all));
}

static void count_tx(struct emu_vport_counters *c, const struct emu_frame *f)
{
	if (!emu_frame_is_group(f)) {
		c->tx_uc_packets++;
		c->tx_uc_bytes += f->bytes;
	} else if (is_broadcast(f)) {
		c->tx_bc_packets++;
		c->tx_bc_bytes += f->bytes;
	} else {
		c->tx_mc_packets++;
		c->tx_mc_bytes += f->bytes;
	}
}

static void count_rx(struct emu_vport_counters *c, const struct emu_frame *f)
{
	if (!emu_frame_is_group(f)) {
		c->rx_uc_packets++;
		c->rx_uc_bytes += f->bytes;
	} else if (is_broadcast(f)) {
		c->rx_bc_packets++;
		c->rx_bc_bytes += f->bytes;
	} else {
		c->rx_mc_packets++;
		c->rx_mc_bytes += f->bytes;
	}
}

/*
 * Reads a byte of each page of a frame. If the client unmapped the memory, the fault occurs here
 * and not in the middle of a wire's copy.
 */
static void touch_frame(const struct emu_frame *f)
{
	enum { PAGE = 4096 };
	const volatile uint8_t *data = f->data;

	for (uint32_t i = PAGE; i < f->bytes; i += PAGE)
		(void)data[i];
	(void)data[f->bytes - 1];
	(void)data[0];
}

/* The RQ that a TIR chose, with the hash and the flow tag for its CQE. */
struct target {
	struct emu_rq *rq;
	struct emu_rx rx;
};

/*
 * Finds the target RQs of a frame. With @may_wait, returns false if one of the RQs lacks a buffer.
 * Then no RQ gets the frame, and the wire offers it again later.
 */
static bool find_queues(struct emu *emu, const struct emu_verdict *v, const struct emu_rx *frame,
			bool may_wait, struct target to[EMU_MAX_DESTS])
{
	for (unsigned i = 0; i < v->n_tirs; i++) {
		const struct emu_tir *tir = v->to[i].tir;
		struct emu_rx *rx = &to[i].rx;
		struct emu_rq *rq;

		rx->frame = frame->frame;
		rx->parsed = frame->parsed;
		rx->flow_tag = v->to[i].flow_tag;
		rx->hash = emu_hash_frame(tir, rx->frame, rx->parsed, &rx->hash_type);
		rq = to[i].rq = emu_tir_rq(tir, rx->hash);
		rx->tunneled = rq && rq->tunneled_offload && rx->parsed->tunnel;
		if (may_wait && rq && rq->state == PRM_WQ_STATE_RDY && !emu_rq_has_buffer(emu, rq))
			return false;
	}
	return true;
}

static void count_steered(struct emu *emu, const struct emu_verdict *v, const struct emu_frame *f)
{
	for (unsigned i = 0; i < v->n_counters; i++) {
		v->counter[i]->packets++;
		v->counter[i]->bytes += f->bytes;
	}
	if (v->missed)
		emu->vport.rx_steering_miss++;
	else if (!v->n_tirs)
		emu->vport.rx_dropped++;
}

static bool accepts_frame(struct emu *emu, const struct emu_frame *f)
{
	if (f->bytes < EMU_ETH_HEADER)
		emu->vport.rx_error++;
	else if (!emu->link.up)
		emu->vport.rx_link_down++;
	else if (f->bytes > emu_port_limit(emu))
		emu->vport.rx_oversize++;
	else if (!emu_mac_filter_passes(emu, f))
		emu->vport.rx_filtered++;
	else
		return true;
	return false;
}

/* Delivers a frame to the RQs that steering chose. Returns false as find_queues() does. */
static bool deliver_frame(struct emu *emu, const struct emu_frame *f, struct emu_parsed *p,
			  const struct emu_verdict *v, bool may_wait)
{
	struct target to[EMU_MAX_DESTS];

	if (!find_queues(emu, v, &(struct emu_rx){ .frame = f, .parsed = p }, may_wait, to))
		return false;
	count_rx(&emu->vport, f);
	count_steered(emu, v, f);
	if (v->n_tirs)
		emu_parse_sums(f, p);
	for (unsigned i = 0; i < v->n_tirs; i++) {
		if (to[i].rq)
			emu_rq_deliver(emu, to[i].rq, &to[i].rx);
		else
			emu->vport.rx_error++;
	}
	return true;
}

bool emu_port_rx(struct emu *emu, const struct emu_frame *f, bool may_wait)
{
	struct emu_verdict v;
	struct emu_parsed p;

	emu->received = true;
	if (!accepts_frame(emu, f))
		return true;
	emu_parse_frame(f, &emu->vxlan, &p);
	emu_steer_frame(emu, f, &p, &v);
	return deliver_frame(emu, f, &p, &v, may_wait);
}

/* Whether the loopback filter of a TIR covers @sq, see set_self_lb() in firmware/tir.c. */
static bool knows_sq(const struct emu *emu, const struct emu_tir *tir, const struct emu_sq *sq)
{
	return emu_cap(emu, tis_tir_td_order) || sq->made <= tir->n_sqs_known;
}

/*
 * Removes the TIRs that block frames of the SQ @from. Returns true if there were TIRs and none is
 * left.
 *
 * A set bit of self_lb_block admits frames, although Linux names the field "block". mlx5e sets it
 * to enable loopback for its self-test (mlx5e_refresh_tirs). mlx5_ib sets it for the flags
 * MLX5_QP_FLAG_TIR_ALLOW_SELF_*, and net_mlx5 for lpbk_mode. MODIFY_TIR calls it self_lb_en.
 */
static bool remove_blocked(const struct emu *emu, struct emu_verdict *v, const struct emu_sq *from,
			   uint8_t let_in)
{
	const struct emu_td *td = from && from->tis ? from->tis->td : NULL;
	const unsigned n = v->n_tirs;

	v->n_tirs = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct emu_tir *tir = v->to[i].tir;

		if (!td || tir->td != td || tir->self_lb_block & let_in ||
		    !knows_sq(emu, tir, from))
			v->to[v->n_tirs++] = v->to[i];
	}
	return n && !v->n_tirs;
}

/* Delivers a frame that this function sent, by local loopback. Never waits for a buffer. */
static void receive_own(struct emu *emu, const struct emu_frame *f, const struct emu_sq *from)
{
	const uint8_t let_in = emu_frame_is_group(f) ? PRM_TIRC_SELF_LB_BLOCK_MULTICAST
						     : PRM_TIRC_SELF_LB_BLOCK_UNICAST;
	struct emu_verdict v;
	struct emu_parsed p;

	emu_parse_frame(f, &emu->vxlan, &p);
	emu_steer_frame(emu, f, &p, &v);
	if (remove_blocked(emu, &v, from, let_in)) {
		emu->vport.rx_own_blocked++;
		return;
	}
	emu->vport.rx_own++;
	deliver_frame(emu, f, &p, &v, false);
}

/*
 * Whether local loopback also passes a frame that this function sends to its own receive rules.
 *
 * PRM-MISSING: local loopback accepts frames to the unicast list of the vport and all group frames.
 * The wire also gets them. (An adapter may not send looped unicast frames to the wire. Linux turns
 * each kind on and off, mlx5_nic_vport_update_local_lb; neither it nor net_mlx5 relies on the
 * addresses or on the wire.)
 */
static bool loops_back(const struct emu *emu, const struct emu_frame *f)
{
	if (emu_frame_is_group(f))
		return emu->lb_mc;
	return emu->lb_uc && emu_frame_is_own(emu, f);
}

/*
 * PRM-MISSING: a port whose link is down drops the frames of its SQs and completes their WQEs.
 * (Linux counts such frames, transmit_discard_vport_down, for a vport whose logical link is down.)
 */
bool emu_port_tx(struct emu *emu, const struct emu_frame *f, const struct emu_sq *from)
{
	enum emu_wire_sent sent = EMU_WIRE_DOWN;

	touch_frame(f);
	if (emu->link.up && f->bytes > emu_port_limit(emu)) {
		emu->vport.tx_oversize++;
		return true;
	}
	if (emu->link.up)
		sent = emu_wire_send(emu, f);
	if (sent == EMU_WIRE_DOWN)
		emu->vport.tx_link_down++;
	if (sent != EMU_WIRE_SENT)
		return sent == EMU_WIRE_DOWN;
	count_tx(&emu->vport, f);
	if (loops_back(emu, f))
		receive_own(emu, f, from);
	return true;
}
