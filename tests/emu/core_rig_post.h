/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_POST_H
#define CORE_RIG_POST_H

#include "core_rig.h"

/**
 * DOC: WQEs and frames by hand
 *
 *	struct post p = post_begin(&sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
 *
 *	post_eth(&p, 0);
 *	post_pointer(&p, lkey, frame, bytes);
 *	post_end(&r, &p, true);
 *	emu_poll(r.emu, 16);
 */

/** struct post - a WQE that is being written at sq->pi */
struct post {
	struct rig_sq *sq;
	struct prm_ctrl_seg *ctrl;
	unsigned ds;
	uint8_t opcode, ce;
};

struct post post_begin(struct rig_sq *sq, uint8_t opcode, uint8_t ce);
/** post_ds - the next segment, zeroed; past the ring's end it is at its start */
void *post_ds(struct post *p);
struct prm_eth_seg *post_eth(struct post *p, uint8_t cs_flags);
/** post_header - inline header in and after the Ethernet segment */
void post_header(struct post *p, const void *header, uint16_t bytes);
void post_pointer(struct post *p, uint32_t lkey, const void *at, uint32_t bytes);
void post_inline(struct post *p, const void *bytes, uint32_t n);
/** post_end - write the control segment and step over the WQE; @ring: record and doorbell too */
void post_end(struct rig *r, struct post *p, bool ring);

/** post_send - SEND of one piece of memory, CQE always, rung */
void post_send(struct rig *r, struct rig_sq *sq, uint32_t lkey, const void *at, uint32_t bytes);

/** post_rq - fill all WQEs of an RQ, one segment of @bytes each from @buffers on, and post @n */
void post_rq(struct rig_rq *rq, uint32_t lkey, void *buffers, uint32_t bytes, uint16_t n);
/** post_more - move the record to @posted */
void post_more(struct rig_rq *rq, uint16_t posted);

/** post_all - all of the above behind it: CQ, RQ of @log_n with buffers, TIR, rule for everything
 */
struct post_rx {
	struct rig_cq cq;
	struct rig_rq rq;
	uint32_t lkey, tir;
	uint8_t *buffers;
	uint32_t bytes;            /* of one buffer */
};
struct post_rx post_rx(struct rig *r, unsigned log_n, uint32_t bytes);

/** struct frame_udp - what to put into a UDP frame */
struct frame_udp {
	bool v6, no_csum, bad_ip, bad_l4;
	uint16_t tci;              /* with a tag if not 0 */
	uint8_t fill;              /* of the payload */
	uint16_t sport, dport;
};

/** frame_udp - write a frame of @bytes to the port's MAC; checksums right unless told */
void frame_udp(uint8_t *frame, unsigned bytes, const struct frame_udp *u);

/** frame_sum - one's complement sum of 16-bit big-endian words, as RFC 1071 words it */
uint16_t frame_sum(const uint8_t *p, unsigned bytes, uint32_t start);

#endif
