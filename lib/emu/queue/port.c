/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: sends frames to the wire, and brings frames from the wire to the RQs that steering
 * names.
 */
#include "emu/queue/port.h"

#include <string.h>

#include "emu/queue/rq.h"
#include "emu/steering/rss.h"
#include "emu/steering/steer.h"
#include "emu/wire/wire.h"

enum { MAC_GROUP_BIT = 1 };

static bool is_group(const struct emu_frame *f)
{
	return f->data[0] & MAC_GROUP_BIT;
}

static bool is_broadcast(const struct emu_frame *f)
{
	static const uint8_t all[EMU_MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return !memcmp(f->data, all, sizeof(all));
}

static void count_tx(struct emu_vport_counters *c, const struct emu_frame *f)
{
	if (!is_group(f)) {
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
	if (!is_group(f)) {
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
 * Reads a byte of each page of a frame. Memory that the client took away faults here, and not later
 * in a wire that has taken half of the frame.
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

bool emu_port_tx(struct emu *emu, const struct emu_frame *f)
{
	touch_frame(f);
	if (!emu->link.up) {
		emu->vport.tx_link_down++;
		return true;
	}
	if (f->bytes > emu_port_limit(emu)) {
		emu->vport.tx_oversize++;
		return true;
	}
	if (!emu_wire_send(emu, f))
		return false;
	count_tx(&emu->vport, f);
	return true;
}

/* The RQ that a TIR chose, with the hash and the flow tag for its CQE. */
struct target {
	struct emu_rq *rq;
	struct emu_rx rx;
};

/*
 * Finds the target RQs of a frame. Returns false if it must wait: with @may_wait, one of the RQs
 * lacks a buffer. The frame then goes to none of them; the wire offers it again later.
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
		rx->tunneled = emu_tir_sees_tunnel(tir, rx->parsed);
		rx->flow_tag = v->to[i].flow_tag;
		rx->hash = emu_hash_frame(tir, rx->frame, rx->parsed, &rx->hash_type);
		rq = to[i].rq = emu_tir_rq(tir, rx->hash);
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

/*
 * PRM-MISSING: whether a PF's NIC vport context filters by MAC before steering. emu accepts every
 * MAC, because net_mlx5's promiscuous mode on a PF is only a steering rule.
 */
static bool accepts_frame(struct emu *emu, const struct emu_frame *f)
{
	if (f->bytes < EMU_ETH_HEADER)
		emu->vport.rx_error++;
	else if (!emu->link.up)
		emu->vport.rx_link_down++;
	else if (f->bytes > emu_port_limit(emu))
		emu->vport.rx_oversize++;
	else
		return true;
	return false;
}

bool emu_port_rx(struct emu *emu, const struct emu_frame *f, bool may_wait)
{
	struct target to[EMU_MAX_DESTS];
	struct emu_verdict v;
	struct emu_parsed p;

	emu->received = true;
	if (!accepts_frame(emu, f))
		return true;
	emu_parse_frame(f, &emu->vxlan, &p);
	emu_steer_frame(emu, f, &p, &v);
	if (!find_queues(emu, &v, &(struct emu_rx){ .frame = f, .parsed = &p }, may_wait, to))
		return false;
	count_rx(&emu->vport, f);
	count_steered(emu, &v, f);
	if (v.n_tirs)
		emu_parse_sums(f, &p);
	for (unsigned i = 0; i < v.n_tirs; i++) {
		if (to[i].rq)
			emu_rq_deliver(emu, to[i].rq, &to[i].rx);
		else
			emu->vport.rx_error++;
	}
	return true;
}
