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
 * A cyclic ring of 1 << log2_n WQEs, each of 1 << log2_segs data segments of 16 bytes. The program
 * writes addresses of buffers into segments, counts WQEs in pi and writes pi to the doorbell
 * record; an RQ needs no doorbell. A packet uses one WQE and produces one CQE, whose wqe_counter
 * has the number of the WQE.
 *
 *        next packet goes here    pi & mask: next to post
 *             v                       v
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *     |     | buf | buf | buf | buf |     |     |     |   1 << log2_n WQEs
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *
 *     create: RST     devx_rq_ready: RST -> RDY     devx_rq_reset: any -> RST
 *
 * wq_state.h explains the states. The device skips a segment of byte_count 0. A segment with the
 * lkey of devx_rq_query_end_lkey() ends the segments of a WQE. If no WQE is posted, the device
 * drops the packet and counts it as out_of_buffer.
 *
 * Source: PRM, "Receive Queue", "RQ Context"; Linux mlx5_ifc_rqc_bits.
 */

enum { DEVX_RQ_LOG2_MIN = 0, DEVX_RQ_LOG2_MAX = 15, DEVX_RQ_LOG2_SEGS_MAX = 5 };

/**
 * struct devx_rq - a receive queue
 * @wqes: the ring, page-aligned
 * @dbrec: doorbell record; an RQ uses word [0]
 * @pi: WQEs posted since the last reset; the caller advances it
 * @log2_n: log2 of the number of WQEs
 * @log2_segs: log2 of the segments of a WQE
 * @rqn: firmware's number of this RQ, 24 bits
 * @buf: memory of ring and doorbell record
 * @obj: the firmware object, or NULL
 * @dev: device of the RQ
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
 * struct devx_rq_attr - arguments of devx_rq_create()
 * @log2_n: log2 of the number of WQEs, DEVX_RQ_LOG2_MIN..caps.log_max_wq_sz, at most 15
 * @log2_segs: log2 of the number of segments per WQE, 0..DEVX_RQ_LOG2_SEGS_MAX, within
 *             caps.max_wqe_sz_rq, caps.log_min_stride_sz_rq and caps.log_max_stride_sz_rq
 * @cq: receives the completions; must outlive the RQ
 * @counter: counts packets that found no WQE, or NULL; must outlive the RQ
 * @keep_vlan: leave VLAN tags in packets; must be true if caps.vlan_cap is false
 * @scatter_fcs: write the frame check sequence after each packet; needs caps.scatter_fcs
 * @mem: the caller's memory for the ring; if all zero, the library allocates it (mem.h)
 */
struct devx_rq_attr {
	uint8_t log2_n;
	uint8_t log2_segs;
	const struct devx_cq *cq;
	const struct devx_counter *counter;
	bool keep_vlan;
	bool scatter_fcs;
	struct devx_ring_mem mem;
};

#ifdef __cplusplus
extern "C" {
#endif

/** devx_rq_bytes - get the minimum of struct devx_ring_mem.bytes for an RQ with these sizes */
size_t devx_rq_bytes(uint8_t log2_n, uint8_t log2_segs);

/**
 * devx_rq_query_end_lkey - read the lkey that ends the segments of a WQE
 * @dev: open device
 * @lkey: receives the lkey for the first unused segment; unchanged on failure
 *
 * The lkey is PRM_LKEY_INVALID on a device without capability terminate_scatter_list_mkey. A device
 * with this capability has an lkey of its own, which only the kernel can read
 * (QUERY_SPECIAL_CONTEXTS); no ioctl returns it. rdma-core uses MLX5_INVALID_LKEY on every device;
 * no source says whether a device with the capability accepts it. A WQE whose segments are all used
 * needs no such lkey.
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, -ENOTSUP if the device has an lkey of its own, or as devx_cmd_general().
 */
int devx_rq_query_end_lkey(struct devx_dev *dev, uint32_t *lkey);

/**
 * devx_rq_create - allocate a ring and create an RQ on it, in RST
 * @rq: all zero; all zero again on failure
 * @dev: open device; must outlive @rq
 * @attr: size and behaviour of the RQ
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     log2_n or log2_segs out of range; no CQ; counter not created; mem is invalid
 *   -ENOTSUP    scatter_fcs without caps.scatter_fcs; keep_vlan false without caps.vlan_cap
 *   -EFAULT     mem is not mapped, or not writable
 *   -ENOMEM     no memory for the ring, or RLIMIT_MEMLOCK is too small to register it
 *   -EREMOTEIO  firmware refused
 *   others      as the kernel returned them
 */
int devx_rq_create(struct devx_rq *rq, struct devx_dev *dev, const struct devx_rq_attr *attr);

/**
 * devx_rq_destroy - undo devx_rq_create()
 * @rq: a complete or partial queue, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every RQT and TIR that names @rq; no
 * thread posts to @rq.
 */
void devx_rq_destroy(struct devx_rq *rq);

/**
 * devx_rq_ready - start receiving: RST -> RDY
 * @rq: a queue in RST; no buffer was posted since devx_rq_create() or devx_rq_reset()
 *
 * Post buffers after this call, not before. In RST the device drops packets.
 *
 * Context: control path; one thread per device; no thread posts to @rq; may sleep.
 *
 * Return: 0, or as devx_cmd_modify() (-EREMOTEIO: the RQ is not in RST). A failure changes
 * neither the state nor @rq.
 */
int devx_rq_ready(struct devx_rq *rq);

/**
 * devx_rq_reset - stop receiving: any state -> RST
 * @rq: the queue; its doorbell record and pi are 0 afterwards
 *
 * After the call the device writes to no buffer of @rq, and the caller owns all buffers. Earlier
 * CQEs stay in the CQ. To restart: read and release them, call devx_rq_ready(), and post. In state
 * ERR, first read the CQE of the last posted WQE (wq_state.h).
 *
 * Context: control path; one thread per device; no thread posts to @rq; may sleep.
 *
 * Return: 0, also if @rq was in RST; or as devx_cmd_query() and devx_cmd_modify(). A failure does
 * not change @rq, but the device may have put the queue into ERR meanwhile.
 */
int devx_rq_reset(struct devx_rq *rq);

/**
 * devx_rq_set_keep_vlan - keep or strip the VLAN tags of later packets
 * @rq: a queue in RDY
 * @keep: true: leave VLAN tags in packets; false: strip an outermost C-tag, and write it to the
 *        CQE (needs caps.vlan_cap)
 *
 * Packets that the device has already received do not change: PRM_CQE_HDR_CV of a CQE says whether
 * the tag was stripped. devx_rq_reset() does not change the setting.
 *
 * PRM-MISSING: a reset of an RQ keeps vsd (no source says what it does; emu keeps it).
 *
 * Context: control path; one thread per device; another thread may post to @rq; may sleep.
 *
 * Source: PRM, "MODIFY_RQ"; Linux mlx5_ifc_modify_rq_in_bits, MODIFY_BITMASK_VSD.
 *
 * Return: 0, or
 *   -ENOTSUP  @keep and caps.vlan_cap are both false
 *   others    as devx_cmd_modify() (-EREMOTEIO: the RQ is not in RDY)
 * A failure changes nothing.
 */
int devx_rq_set_keep_vlan(struct devx_rq *rq, bool keep);

/**
 * devx_rq_query_state - read the state of the queue from firmware
 * @rq: the queue
 * @state: receives the state; unchanged on failure
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_rq_query_state(const struct devx_rq *rq, enum prm_wq_state *state);

#ifdef __cplusplus
}
#endif

/** devx_rq_get_wqe - get the first segment of the WQE with counter value @i */
static inline struct prm_data_seg *devx_rq_get_wqe(const struct devx_rq *rq, uint32_t i)
{
	return &rq->wqes[(size_t)(i & ((1u << rq->log2_n) - 1)) << rq->log2_segs];
}

/**
 * devx_rq_post - hand WQEs up to @rq->pi to the device
 * @rq: the queue; the segments of every WQE before pi are written, and at most 1 << log2_n WQEs
 *      are without a CQE
 *
 * Context: data path; the thread that owns @rq.
 */
static inline void devx_rq_post(struct devx_rq *rq)
{
	devx_to_device_barrier(); /* the device sees the segments before the record */
	*(volatile uint32_t *)&rq->dbrec[PRM_DBR_RCV].raw = prm_be32_of(rq->pi & UINT16_MAX).raw;
}

#endif
