/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_POST_H
#define CORE_RIG_POST_H

#include "core_rig_queue.h"

/**
 * DOC: WQEs by hand
 *
 *	struct core_rig_wqe p = core_rig_begin_wqe(&sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
 *
 *	core_rig_add_eth(&p, 0);
 *	core_rig_add_pointer(&p, lkey, frame, bytes);
 *	core_rig_end_wqe(&r, &p, true);
 *	emu_poll(r.emu, 16);
 */

/** struct core_rig_wqe - a WQE that is being written at sq->pi */
struct core_rig_wqe {
	struct core_rig_sq *sq;
	struct prm_ctrl_seg *ctrl;
	unsigned ds;
	uint8_t opcode, ce;
};

struct core_rig_wqe core_rig_begin_wqe(struct core_rig_sq *sq, uint8_t opcode, uint8_t ce);
/** core_rig_add_ds - the next segment, zeroed; past the ring's end it is at its start */
void *core_rig_add_ds(struct core_rig_wqe *p);
struct prm_eth_seg *core_rig_add_eth(struct core_rig_wqe *p, uint8_t cs_flags);
/** core_rig_add_header - inline header in and after the Ethernet segment */
void core_rig_add_header(struct core_rig_wqe *p, const void *header, uint16_t bytes);
void core_rig_add_pointer(struct core_rig_wqe *p, uint32_t lkey, const void *at, uint32_t bytes);
void core_rig_add_inline(struct core_rig_wqe *p, const void *bytes, uint32_t n);
/** core_rig_end_wqe - write the control segment, step over the WQE; @ring: record, doorbell too */
void core_rig_end_wqe(struct core_rig *r, struct core_rig_wqe *p, bool ring);

/** core_rig_post_send - SEND of one piece of memory, CQE always, rung */
void core_rig_post_send(struct core_rig *r, struct core_rig_sq *sq, uint32_t lkey, const void *at,
			uint32_t bytes);

/** core_rig_post_rq - fill all WQEs of an RQ, a segment of @bytes each from @buffers on; post @n */
void core_rig_post_rq(struct core_rig_rq *rq, uint32_t lkey, void *buffers, uint32_t bytes,
		      uint16_t n);
/** core_rig_post_more - move the record to @posted */
void core_rig_post_more(struct core_rig_rq *rq, uint16_t posted);

/** struct core_rig_rx - a way in: CQ, RQ with buffers, TIR, rule for everything */
struct core_rig_rx {
	struct core_rig_cq cq;
	struct core_rig_rq rq;
	uint32_t lkey, tir;
	uint8_t *buffers;
	uint32_t bytes; /* of one buffer */
};
struct core_rig_rx core_rig_make_rx(struct core_rig *r, unsigned log_n, uint32_t bytes);

#endif
