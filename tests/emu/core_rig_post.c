/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_post.h"
#include "core_rig_steer.h"
#include "prm/wqe.h"

#include <string.h>

struct core_rig_wqe core_rig_begin_wqe(struct core_rig_sq *sq, uint8_t opcode, uint8_t ce)
{
	struct core_rig_wqe p = { .sq = sq, .opcode = opcode, .ce = ce };

	p.ctrl = core_rig_add_ds(&p);
	return p;
}

void *core_rig_add_ds(struct core_rig_wqe *p)
{
	const unsigned ring_ds = p->sq->n * PRM_WQEBB_BYTES / PRM_DS_BYTES;
	const unsigned first = (p->sq->pi & (p->sq->n - 1)) * PRM_WQEBB_BYTES / PRM_DS_BYTES;

	return memset(p->sq->ring + (first + p->ds++) % ring_ds * PRM_DS_BYTES, 0, PRM_DS_BYTES);
}

struct prm_eth_seg *core_rig_add_eth(struct core_rig_wqe *p, uint8_t cs_flags)
{
	struct prm_eth_seg *eth = core_rig_add_ds(p);

	eth->cs_flags = cs_flags;
	return eth;
}

void core_rig_add_header(struct core_rig_wqe *p, const void *header, uint16_t bytes)
{
	struct prm_eth_seg *eth = core_rig_add_eth(p, 0);
	const uint8_t *from = header;
	uint16_t left = bytes;

	eth->inline_hdr_sz = prm_be16_of(bytes);
	for (unsigned i = 0; i < sizeof(eth->inline_hdr_start) && left; i++, left--)
		eth->inline_hdr_start[i] = *from++;
	while (left) {
		const uint16_t n = left < PRM_DS_BYTES ? left : PRM_DS_BYTES;

		memcpy(core_rig_add_ds(p), from, n);
		from += n;
		left -= n;
	}
}

void core_rig_add_pointer(struct core_rig_wqe *p, uint32_t lkey, const void *at, uint32_t bytes)
{
	struct prm_data_seg *seg = core_rig_add_ds(p);

	seg->byte_count = prm_be32_of(bytes);
	seg->lkey = prm_be32_of(lkey);
	seg->addr = prm_be64_of((uintptr_t)at);
}

void core_rig_add_inline(struct core_rig_wqe *p, const void *bytes, uint32_t n)
{
	const uint8_t *from = bytes;
	uint8_t *ds = core_rig_add_ds(p);
	unsigned room = PRM_DS_BYTES - sizeof(prm_be32);

	*(prm_be32 *)ds = prm_be32_of(n | PRM_INLINE_SEG);
	ds += sizeof(prm_be32);
	for (; n; n--) {
		if (!room) {
			ds = core_rig_add_ds(p);
			room = PRM_DS_BYTES;
		}
		*ds++ = *from++;
		room--;
	}
}

void core_rig_end_wqe(struct core_rig *r, struct core_rig_wqe *p, bool ring)
{
	const unsigned per_bb = PRM_WQEBB_BYTES / PRM_DS_BYTES;

	p->ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, p->sq->pi, p->opcode);
	p->ctrl->qpn_ds = prm_ctrl_dw1(p->sq->sqn, (uint8_t)p->ds);
	p->ctrl->fm_ce_se = (uint8_t)(p->ce << PRM_CE_SHIFT);
	p->sq->pi += (uint16_t)((p->ds + per_bb - 1) / per_bb);
	if (ring)
		core_rig_ring_sq(r, p->sq, p->ctrl);
}

void core_rig_post_send(struct core_rig *r, struct core_rig_sq *sq, uint32_t lkey, const void *at,
			uint32_t bytes)
{
	struct core_rig_wqe p = core_rig_begin_wqe(sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, lkey, at, bytes);
	core_rig_end_wqe(r, &p, true);
}

void core_rig_post_more(struct core_rig_rq *rq, uint16_t posted)
{
	__atomic_store_n(&rq->dbr[PRM_DBR_RCV].raw, prm_be32_of(posted).raw, __ATOMIC_RELEASE);
}

void core_rig_post_rq(struct core_rig_rq *rq, uint32_t lkey, void *buffers, uint32_t bytes,
		      uint16_t n)
{
	for (unsigned i = 0; i < rq->n; i++) {
		struct prm_data_seg *seg = (struct prm_data_seg *)(rq->ring + i * rq->stride);

		seg->byte_count = prm_be32_of(bytes);
		seg->lkey = prm_be32_of(lkey);
		seg->addr = prm_be64_of((uintptr_t)buffers + i * bytes);
		if (rq->stride > sizeof(*seg))
			seg[1].lkey = prm_be32_of(PRM_LKEY_INVALID);
	}
	core_rig_post_more(rq, n);
}

struct core_rig_rx core_rig_make_rx(struct core_rig *r, unsigned log_n, uint32_t bytes)
{
	struct core_rig_rx rx = { .bytes = bytes };

	rx.cq = core_rig_make_cq(r, log_n);
	rx.rq = core_rig_make_rq(r, log_n, 0, rx.cq.cqn);
	rx.buffers = core_rig_alloc(r, (size_t)bytes << log_n);
	rx.lkey = core_rig_make_mkey(r, rx.buffers, (size_t)bytes << log_n, true);
	core_rig_post_rq(&rx.rq, rx.lkey, rx.buffers, bytes, (uint16_t)rx.rq.n);
	rx.tir = core_rig_make_tir(r, rx.rq.rqn);
	core_rig_steer_all(r, rx.tir);
	return rx;
}
