/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_POST_H
#define CORE_RIG_POST_H

#include "core_rig_queue.h"

/**
 * DOC: WQEs, written segment by segment
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
/** core_rig_add_ds - append a zeroed segment of 16 bytes, which wraps at the end of the ring */
void *core_rig_add_ds(struct core_rig_wqe *p);
struct prm_eth_seg *core_rig_add_eth(struct core_rig_wqe *p, uint8_t cs_flags);
/** core_rig_add_header - append an Ethernet segment with @bytes of @header inline */
void core_rig_add_header(struct core_rig_wqe *p, const void *header, uint16_t bytes);
void core_rig_add_pointer(struct core_rig_wqe *p, uint32_t lkey, const void *at, uint32_t bytes);
void core_rig_add_inline(struct core_rig_wqe *p, const void *bytes, uint32_t n);
/** core_rig_end_wqe - write the control segment and move sq->pi; with @ring also ring the SQ */
void core_rig_end_wqe(struct core_rig *r, struct core_rig_wqe *p, bool ring);

/** core_rig_post_send - post and ring one SEND of @bytes at @at, which asks for a CQE */
void core_rig_post_send(struct core_rig *r, struct core_rig_sq *sq, uint32_t lkey, const void *at,
			uint32_t bytes);

/** core_rig_post_rq - give each WQE of an RQ a buffer of @bytes out of @buffers; post @n WQEs */
void core_rig_post_rq(struct core_rig_rq *rq, uint32_t lkey, void *buffers, uint32_t bytes,
		      uint16_t n);
/** core_rig_post_more - write @posted, the WQEs posted so far, to the doorbell record */
void core_rig_post_more(struct core_rig_rq *rq, uint16_t posted);

/** struct core_rig_rx - a receiver of all frames: CQ, RQ with buffers, TIR and a steering rule */
struct core_rig_rx {
	struct core_rig_cq cq;
	struct core_rig_rq rq;
	uint32_t lkey, tir;
	uint8_t *buffers;
	uint32_t bytes; /* size of one buffer */
};
/** core_rig_make_rx - create a receiver with 1 << log_n buffers of @bytes */
struct core_rig_rx core_rig_make_rx(struct core_rig *r, unsigned log_n, uint32_t bytes);

#endif
