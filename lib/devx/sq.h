/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_SQ_H
#define DEVX_SQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/barrier.h"
#include "devx/cq.h"
#include "devx/dev.h"
#include "devx/mem.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "devx/wq_state.h"
#include "prm/wqe.h"

/**
 * DOC: Send queue
 *
 * A ring of 1 << log2_n basic blocks (WQEBB) of 64 bytes. A WQE takes one or more and may
 * wrap. We write WQEs and count blocks in pi (16 bits, free-running); the doorbell record
 * carries pi, the doorbell register tells the device to look. A CQE says how far it came.
 *
 *        oldest not completed     pi & mask: next to write
 *             v                       v
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *     |     | WQE | WQE . wqe | WQE |     |     |     |   1 << log2_n blocks
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *
 *     create: RST     devx_sq_ready: RST -> RDY     devx_sq_reset: any -> RST
 *
 * wq_state.h has what the states mean. A bad WQE puts the SQ into ERR and gets an error CQE.
 * In ERR every WQE that asked for a CQE is flushed with one.
 *
 * Source: PRM, "Send Queue", "SQ Context"; Linux mlx5_ifc_sqc_bits, mlx5e_recover_sq.
 */

enum { DEVX_SQ_LOG2_MIN = 0, DEVX_SQ_LOG2_MAX = 15 }; /* pi has 16 bits: half of it at most */

/** struct devx_wqebb - basic block of a send queue: a WQE starts with its control segment */
struct devx_wqebb {
	union {
		struct prm_ctrl_seg ctrl;
		uint8_t bytes[PRM_WQEBB_BYTES];
	};
} __attribute__((aligned(64)));

/**
 * struct devx_sq - a send queue
 * @wqebbs: the ring, page-aligned
 * @dbrec: [1] is ours
 * @doorbell: the register
 * @nc: its page is mapped non-cached
 * @log2_n: log2 of the number of WQEBBs
 * @pi: WQEBBs posted since the last reset, mod 2^16; the caller advances it
 * @sqn: firmware's number of this SQ, 24 bits
 * @inline_mode: least part of a packet that WQEs must carry, as struct devx_sq_attr has it
 * @buf: memory of ring and doorbell record
 * @obj: the firmware object, or NULL
 * @dev: the device it lives on
 */
struct devx_sq {
	/* read or written on every post */
	struct devx_wqebb *wqebbs;
	prm_be32 *dbrec;
	void *doorbell;
	bool nc;
	uint8_t log2_n;
	uint16_t pi;
	uint32_t sqn;

	/* control path */
	uint8_t inline_mode;
	struct devx_buf buf;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

static_assert(offsetof(struct devx_sq, inline_mode) <= 64, "the data path needs one cache line");

/**
 * struct devx_sq_attr - what to create
 * @log2_n: log2 of the number of WQEBBs, DEVX_SQ_LOG2_MIN..caps.log_max_wq_sz, 15 at most
 * @cq: where completions go; must outlive the SQ
 * @tis: what it sends through; must outlive the SQ
 * @uar: its doorbell register, which no other thread rings; must outlive the SQ
 * @allow_multi_pkt: it will post multi-packet WQEs; needs caps.multi_pkt_send_wqe or
 *                   caps.enhanced_multi_pkt_send_wqe
 * @inline_mode: least part of a packet that its WQEs carry themselves, as in the SQ context
 *               (0 none, 1 L2, 2 IP, 3 TCP/UDP); raised to what the device demands
 */
struct devx_sq_attr {
	uint8_t log2_n;
	const struct devx_cq *cq;
	const struct devx_tis *tis;
	const struct devx_uar *uar;
	bool allow_multi_pkt;
	uint8_t inline_mode;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_sq_create - allocate a ring and create an SQ on it, in RST
 * @sq: all zero; all zero again on failure
 * @dev: open device; must outlive @sq
 * @attr: what to create
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     log2_n out of range, inline_mode above 3; no CQ, TIS or UAR
 *   -ENOTSUP    allow_multi_pkt on a device that cannot
 *   -ENOMEM     no memory for the ring, or RLIMIT_MEMLOCK is too small to register it
 *   -EREMOTEIO  firmware refused
 *   others      as the kernel returned them
 */
int devx_sq_create(struct devx_sq *sq, struct devx_dev *dev, const struct devx_sq_attr *attr);

/**
 * devx_sq_destroy - undo devx_sq_create(), however far it got
 * @sq: a queue, a part of one, or all zero; all zero afterwards
 *
 * What was posted and not completed may or may not be sent.
 *
 * Context: control path; one thread per device; no thread posts to it.
 */
void devx_sq_destroy(struct devx_sq *sq);

/**
 * devx_sq_ready - let the device execute WQEs: RST -> RDY
 * @sq: a queue in RST, to which nothing was posted since it was created or reset
 *
 * WQEs are posted after this, not before: the device ignores a doorbell in RST.
 *
 * Context: control path; one thread per device; no thread posts to @sq; may sleep.
 *
 * Return: 0, or as devx_cmd_modify() (-EREMOTEIO: the SQ is not in RST). A failure changes
 * neither the state nor @sq.
 */
int devx_sq_ready(struct devx_sq *sq);

/**
 * devx_sq_reset - stop: any state -> RST
 * @sq: the queue; its record and pi are 0 afterwards
 *
 * The device executes no WQE and writes no CQE after it. WQEs not yet completed are forgotten;
 * CQEs from before stay in the CQ. Drain the CQ first where the cause of an error matters: the
 * first error CQE has it, the others say flushed. Then devx_sq_ready(), and post.
 *
 * Context: control path; one thread per device; no thread posts to @sq; may sleep.
 *
 * Return: 0, also if it was in RST; or as devx_cmd_query() and devx_cmd_modify(). A failure leaves
 * @sq as it was; the state may have become ERR by itself.
 */
int devx_sq_reset(struct devx_sq *sq);

/**
 * devx_sq_query_state - ask firmware for the state
 * @sq: the queue
 * @state: receives it; untouched on failure
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_sq_query_state(const struct devx_sq *sq, enum prm_wq_state *state);

#ifdef __cplusplus
}
#endif

/** devx_sq_get_wqebb - block of counter value @i; the caller knows that it is free */
static inline struct devx_wqebb *devx_sq_get_wqebb(const struct devx_sq *sq, uint16_t i)
{
	return &sq->wqebbs[i & ((1u << sq->log2_n) - 1)];
}

/**
 * devx_sq_ring - tell the device about everything up to @sq->pi
 * @sq: the queue; pi is past the last WQE
 * @last: first segment of the last WQE
 *
 * Context: data path; the thread that owns @sq and its register.
 */
static inline void devx_sq_ring(struct devx_sq *sq, const struct prm_ctrl_seg *last)
{
	devx_to_device_barrier(); /* WQEs are complete before the record covers them */
	*(volatile uint32_t *)&sq->dbrec[PRM_DBR_SND].raw = prm_be32_of(sq->pi).raw;
	devx_reg_ring(sq->doorbell, sq->nc, last);
}

#endif
