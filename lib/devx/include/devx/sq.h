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
 * A ring of 1 << log2_n basic blocks (WQEBB) of 64 bytes. A WQE uses one or more blocks and may
 * wrap. The program writes WQEs, counts blocks in pi (16 bits, free-running), writes pi to the
 * doorbell record and then writes to the doorbell register. A CQE names the last completed WQE.
 *
 *        oldest not completed     pi & mask: next to write
 *             v                       v
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *     |     | WQE | WQE . wqe | WQE |     |     |     |   1 << log2_n blocks
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *
 *     create: RST     devx_sq_ready: RST -> RDY     devx_sq_reset: any -> RST
 *
 * wq_state.h explains the states. A WQE that fails puts the SQ into ERR and gets an error CQE.
 * In ERR each later WQE that requests a CQE gets a CQE with the syndrome "flushed".
 *
 * Source: PRM, "Send Queue", "SQ Context"; Linux mlx5_ifc_sqc_bits, mlx5e_recover_sq.
 */

/* With at most 2^15 blocks, the 16-bit pi distinguishes a full ring from an empty one. */
enum { DEVX_SQ_LOG2_MIN = 0, DEVX_SQ_LOG2_MAX = 15 };

/** struct devx_wqebb - basic block of a send queue; @ctrl: control segment that starts a WQE */
struct devx_wqebb {
	union {
		struct prm_ctrl_seg ctrl;
		uint8_t bytes[PRM_WQEBB_BYTES];
	};
} __attribute__((aligned(64)));

/**
 * struct devx_sq - a send queue
 * @wqebbs: the ring, page-aligned
 * @dbrec: doorbell record; an SQ uses word [1]
 * @doorbell: doorbell register
 * @nc: the page of @doorbell is mapped non-cached
 * @log2_n: log2 of the number of WQEBBs
 * @bf_bytes: size of a BlueFlame buffer at @doorbell, from struct devx_uar
 * @bf_at: offset of the BlueFlame buffer to use next: 0 or @bf_bytes
 * @pi: WQEBBs posted since the last reset, mod 2^16; the caller advances it
 * @sqn: firmware's number of this SQ, 24 bits
 * @inline_mode: headers that every WQE must contain, as in struct devx_sq_attr
 * @buf: memory of ring and doorbell record
 * @obj: the firmware object, or NULL
 * @dev: device of the SQ
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
	uint16_t bf_bytes, bf_at;

	/* control path */
	uint8_t inline_mode;
	struct devx_buf buf;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

static_assert(offsetof(struct devx_sq, inline_mode) <= 64, "the data path needs one cache line");

/**
 * struct devx_sq_attr - arguments of devx_sq_create()
 * @log2_n: log2 of the number of WQEBBs, DEVX_SQ_LOG2_MIN..caps.log_max_wq_sz, at most 15
 * @cq, @tis: queue for the completions, and transport interface; both must outlive the SQ
 * @uar: doorbell register; a BlueFlame register has no other user; must outlive the SQ
 * @allow_multi_pkt: the caller posts multi-packet WQEs; needs caps.multi_pkt_send_wqe or
 *                   caps.enhanced_multi_pkt_send_wqe
 * @inline_mode: headers that every WQE contains: 0 none, 1 L2, 2 L2 and IP, 3 up to TCP/UDP;
 *               devx_sq_create() raises it to the minimum of the device
 * @pp: rate limit (pp.h), which must outlive the SQ; NULL: no limit
 * @mem: memory of the caller for the ring; all zero: the library allocates (mem.h)
 */
struct devx_sq_attr {
	uint8_t log2_n;
	const struct devx_cq *cq;
	const struct devx_tis *tis;
	const struct devx_uar *uar;
	bool allow_multi_pkt;
	uint8_t inline_mode;
	const struct devx_pp *pp;
	struct devx_ring_mem mem;
};

#ifdef __cplusplus
extern "C" {
#endif

/** devx_sq_bytes - get the minimum of struct devx_ring_mem.bytes for 1 << @log2_n blocks */
size_t devx_sq_bytes(uint8_t log2_n);

/**
 * devx_sq_create - allocate a ring and create an SQ on it, in RST
 * @sq: all zero; all zero again on failure
 * @dev: open device; must outlive @sq
 * @attr: size and behaviour of the SQ
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     log2_n or inline_mode out of range; no CQ, TIS or UAR; pp not created; mem invalid
 *   -ENOTSUP    allow_multi_pkt without a capability for it
 *   -EFAULT     mem is not mapped, or not writable
 *   -ENOMEM     no memory for the ring, or RLIMIT_MEMLOCK is too small to register it
 *   -EREMOTEIO  firmware refused
 *   others      as the kernel returned them
 */
int devx_sq_create(struct devx_sq *sq, struct devx_dev *dev, const struct devx_sq_attr *attr);

/**
 * devx_sq_destroy - undo devx_sq_create()
 * @sq: a complete or partial queue, or all zero; all zero afterwards
 *
 * The device may or may not send the packets of posted WQEs that have not completed.
 *
 * Context: control path; one thread per device; no thread posts to @sq.
 */
void devx_sq_destroy(struct devx_sq *sq);

/**
 * devx_sq_ready - start executing WQEs: RST -> RDY
 * @sq: a queue in RST; no WQE was posted since devx_sq_create() or devx_sq_reset()
 *
 * Post WQEs after this call, not before. In RST the device ignores doorbells.
 *
 * Context: control path; one thread per device; no thread posts to @sq; may sleep.
 *
 * Return: 0, or as devx_cmd_modify() (-EREMOTEIO: the SQ is not in RST). A failure changes
 * neither the state nor @sq.
 */
int devx_sq_ready(struct devx_sq *sq);

/**
 * devx_sq_reset - stop sending: any state -> RST
 * @sq: the queue; its doorbell record and pi are 0 afterwards
 *
 * After the call the device executes no WQE of @sq; WQEs without a CQE never complete. Earlier
 * CQEs stay in the CQ. After an error the first error CQE contains the cause, and the later ones
 * have the syndrome "flushed" (wq_state.h). To restart: read and release the CQEs, call
 * devx_sq_ready(), and post.
 *
 * Context: control path; one thread per device; no thread posts to @sq; may sleep.
 *
 * Return: 0, also if @sq was in RST; or as devx_cmd_query() and devx_cmd_modify(). A failure does
 * not change @sq, but the device may have put the queue into ERR meanwhile.
 */
int devx_sq_reset(struct devx_sq *sq);

/**
 * devx_sq_query_state - read the state of the queue from firmware
 * @sq: the queue
 * @state: receives the state; unchanged on failure
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_sq_query_state(const struct devx_sq *sq, enum prm_wq_state *state);

#ifdef __cplusplus
}
#endif

/** devx_sq_get_wqebb - get the basic block of counter value @i, without a check that it is free */
static inline struct devx_wqebb *devx_sq_get_wqebb(const struct devx_sq *sq, uint16_t i)
{
	return &sq->wqebbs[i & ((1u << sq->log2_n) - 1)];
}

/**
 * devx_sq_ring - hand WQEs up to @sq->pi to the device
 * @sq: the queue; pi is past the last block of the last WQE
 * @last: control segment of the last WQE
 *
 * Context: data path; the thread that owns @sq and its doorbell register.
 */
static inline void devx_sq_ring(struct devx_sq *sq, const struct prm_ctrl_seg *last)
{
	devx_to_device_barrier(); /* the device sees the WQEs before the record */
	*(volatile uint32_t *)&sq->dbrec[PRM_DBR_SND].raw = prm_be32_of(sq->pi).raw;
	devx_reg_ring(sq->doorbell, sq->nc, last);
}

/** devx_sq_ring_next - devx_sq_ring(), alternating between the two BlueFlame buffers */
static inline void devx_sq_ring_next(struct devx_sq *sq, const struct prm_ctrl_seg *last)
{
	devx_to_device_barrier();
	*(volatile uint32_t *)&sq->dbrec[PRM_DBR_SND].raw = prm_be32_of(sq->pi).raw;
	devx_reg_ring((char *)sq->doorbell + sq->bf_at, sq->nc, last);
	sq->bf_at ^= sq->bf_bytes;
}

/**
 * devx_sq_ring_wqe - hand one WQE to the device by copying it to the BlueFlame register
 * @sq: the queue, usually with a UAR of type DEVX_UAR_BF; pi is past the last block of the WQE
 * @first: control segment of the WQE, the only one since the last ring
 *
 * The device need not read the WQE from memory. A WQE that does not fit a BlueFlame buffer, or a
 * register without buffers (non-cached), gets a doorbell of 8 bytes. As in libmlx5, each call uses
 * the other buffer. With this function, use devx_sq_ring_next() instead of devx_sq_ring().
 *
 * PRM-MISSING: the device accepts doorbells of 8 bytes in both BlueFlame buffers of a register,
 * mixed with copies (rdma-core, providers/mlx5/qp.c, post_send_db).
 *
 * Context: data path; the thread that owns @sq and its doorbell register.
 */
static inline void devx_sq_ring_wqe(struct devx_sq *sq, const struct prm_ctrl_seg *first)
{
	const uint16_t from = prm_ctrl_index(first);
	const uint16_t n = (uint16_t)(sq->pi - from);
	char *to = (char *)sq->doorbell + sq->bf_at;

	devx_to_device_barrier();
	*(volatile uint32_t *)&sq->dbrec[PRM_DBR_SND].raw = prm_be32_of(sq->pi).raw;
	devx_doorbell_barrier();
	if (n * PRM_WQEBB_BYTES <= sq->bf_bytes)
		for (uint16_t i = 0; i < n; i++)
			devx_reg_copy_wqebb(to + i * PRM_WQEBB_BYTES,
					    devx_sq_get_wqebb(sq, (uint16_t)(from + i)));
	else
		devx_reg_write64(to, first);
	devx_wc_flush_barrier(); /* the next call writes to the other buffer, and must come later */
	sq->bf_at ^= sq->bf_bytes;
}

#endif
