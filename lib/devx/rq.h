/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RQ_H
#define DEVX_RQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/barrier.h"
#include "devx/counter.h"
#include "devx/cq.h"
#include "devx/dev.h"
#include "devx/mem.h"
#include "devx/wq_state.h"
#include "prm/wqe.h"

/**
 * DOC: Receive queue
 *
 * A cyclic ring of 1 << log2_n WQEs, each of 1 << log2_segs data segments of 16 bytes. We
 * point segments at buffers and count WQEs in pi; the doorbell record carries pi, and there
 * is no doorbell register: the device reads the record. A packet takes one WQE and makes
 * one CQE, whose wqe_counter is that of the WQE.
 *
 *        next packet goes here    pi & mask: next to post
 *             v                       v
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *     |     | buf | buf | buf | buf |     |     |     |   1 << log2_n WQEs
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *
 *     create: RST     devx_rq_ready: RST -> RDY     devx_rq_reset: any -> RST
 *
 * wq_state.h has what the states mean.
 *
 * A segment of byte_count 0 is skipped, lkey PRM_LKEY_INVALID ends the list. A packet that
 * finds no WQE is dropped and counted as out_of_buffer.
 *
 * Source: PRM, "Receive Queue", "RQ Context"; Linux mlx5_ifc_rqc_bits.
 */

enum { DEVX_RQ_LOG2_MIN = 0, DEVX_RQ_LOG2_MAX = 15, DEVX_RQ_LOG2_SEGS_MAX = 5 };

/**
 * struct devx_rq - a receive queue
 * @wqes: the ring, page-aligned
 * @dbrec: [0] is ours
 * @pi: WQEs posted since the last reset; the caller advances it
 * @log2_n: log2 of the number of WQEs
 * @log2_segs: log2 of the segments of a WQE
 * @rqn: firmware's number of this RQ, 24 bits
 * @buf: memory of ring and doorbell record
 * @obj: the firmware object, or NULL
 * @dev: the device it lives on
 */
struct devx_rq {
	/* read or written on every post */
	struct prm_data_seg *wqes;
	prm_be32 *dbrec;
	uint32_t pi;
	uint8_t log2_n;
	uint8_t log2_segs;

	/* control path */
	uint32_t rqn;
	struct devx_buf buf;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

static_assert(offsetof(struct devx_rq, rqn) <= 64, "the data path needs one cache line");

/**
 * struct devx_rq_attr - what to create
 * @log2_n: log2 of the number of WQEs, DEVX_RQ_LOG2_MIN..caps.log_max_wq_sz, 15 at most
 * @log2_segs: log2 of the segments of a WQE, 0..DEVX_RQ_LOG2_SEGS_MAX, within
 *             caps.max_wqe_sz_rq and the strides that caps allow
 * @cq: where completions go; must outlive the RQ
 * @counter: counts packets that found no WQE, or NULL; must outlive the RQ
 * @keep_vlan: leave VLAN tags in packets; must be set where caps.vlan_cap is not
 * @scatter_fcs: hand over the frame check sequence too; needs caps.scatter_fcs
 */
struct devx_rq_attr {
	uint8_t log2_n;
	uint8_t log2_segs;
	const struct devx_cq *cq;
	const struct devx_counter *counter;
	bool keep_vlan;
	bool scatter_fcs;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_rq_create - allocate a ring and create an RQ on it, in RST
 * @rq: all zero; all zero again on failure
 * @dev: open device; must outlive @rq
 * @attr: what to create
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     log2_n or log2_segs out of range; no CQ
 *   -ENOTSUP    scatter_fcs or VLAN stripping on a device that cannot
 *   -ENOMEM     no memory for the ring, or RLIMIT_MEMLOCK is too small to register it
 *   -EREMOTEIO  firmware refused
 *   others      as the kernel returned them
 */
int devx_rq_create(struct devx_rq *rq, struct devx_dev *dev, const struct devx_rq_attr *attr);

/**
 * devx_rq_destroy - undo devx_rq_create(), however far it got
 * @rq: a queue, a part of one, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; no RQT and no TIR names it, no thread posts to it.
 */
void devx_rq_destroy(struct devx_rq *rq);

/**
 * devx_rq_ready - let packets in: RST -> RDY
 * @rq: a queue in RST, to which nothing was posted since it was created or reset
 *
 * Buffers are posted after this, not before: a packet is dropped in RST.
 *
 * Context: control path; one thread per device; no thread posts to @rq; may sleep.
 *
 * Return: 0, or as devx_cmd_modify() (-EREMOTEIO: the RQ is not in RST). A failure changes
 * neither the state nor @rq.
 */
int devx_rq_ready(struct devx_rq *rq);

/**
 * devx_rq_reset - stop: any state -> RST
 * @rq: the queue; its record and pi are 0 afterwards
 *
 * The device writes no buffer and no CQE after it. Buffers without a CQE are the caller's again;
 * CQEs from before stay in the CQ. Drain and release the CQ, then devx_rq_ready(), and post.
 *
 * Context: control path; one thread per device; no thread posts to @rq; may sleep.
 *
 * Return: 0, also if it was in RST; or as devx_cmd_query() and devx_cmd_modify(). A failure leaves
 * @rq as it was; the state may have become ERR by itself.
 */
int devx_rq_reset(struct devx_rq *rq);

/**
 * devx_rq_query_state - ask firmware for the state
 * @rq: the queue
 * @state: receives it; untouched on failure
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_rq_query_state(const struct devx_rq *rq, enum prm_wq_state *state);

#ifdef __cplusplus
}
#endif

/** devx_rq_get_wqe - first segment of the WQE of counter value @i */
static inline struct prm_data_seg *devx_rq_get_wqe(const struct devx_rq *rq, uint32_t i)
{
	return &rq->wqes[(size_t)(i & ((1u << rq->log2_n) - 1)) << rq->log2_segs];
}

/**
 * devx_rq_post - give the device everything up to @rq->pi
 * @rq: the queue; pi is past the last WQE whose segments are written, and no more than the
 *      ring's size past the oldest without a CQE
 *
 * Context: data path; the thread that owns @rq.
 */
static inline void devx_rq_post(struct devx_rq *rq)
{
	devx_to_device_barrier(); /* segments are written before the record covers them */
	*(volatile uint32_t *)&rq->dbrec[PRM_DBR_RCV].raw = prm_be32_of(rq->pi & UINT16_MAX).raw;
}

#endif
