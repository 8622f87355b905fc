/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_RQ_H
#define EMU_QUEUE_RQ_H

#include "emu/base/dev.h"
#include "emu/base/mkey.h"
#include "emu/packet/parse.h"
#include "emu/queue/cq.h"
#include "emu/queue/cq_ring.h"

struct emu_rq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	uint8_t state, log_size, log_stride; /* a WQE has 1 << log_stride bytes, at least 16 */
	bool flush_in_error, vsd, scatter_fcs;
	/*
	 * tunneled_offload_en of the TIR that was created or modified last among those of the RQ.
	 *
	 * PRM-MISSING: without it, the CQE of a tunneled frame describes the outer headers, and
	 * the tunnel is payload. (The comment in FreeBSD's mlx5en says that a CQE is tunneled only
	 * if the TIR enables it.)
	 */
	bool tunneled_offload;
	bool real_time;  /* its time stamps are from the real-time clock */
	bool lost;       /* the client unmapped the ring or the record: no access */
	uint16_t cc;     /* consumer counter: WQEs used */
	uint16_t posted; /* producer counter as last read; read again when cc reaches it */
	uint32_t pd, user_index;
	struct emu_cq *cq;
	struct emu_q_counter *counter;
	uint64_t n_packets, n_bytes;
	struct prm_rqc ctx;
};

struct emu_q_counter {
	struct emu_obj obj;
	uint64_t out_of_buffer;
};

/** emu_rq_reset - change to RST or RDY: set both counters to 0; the memory is no longer lost */
void emu_rq_reset(struct emu_rq *rq);
/** emu_rq_fail - put the RQ into ERR; drop its WQEs, with error CQEs if flush_in_error */
void emu_rq_fail(struct emu *emu, struct emu_rq *rq);

/** struct emu_rx - a frame for an RQ, with the values for its CQE */
struct emu_rx {
	const struct emu_frame *frame;
	const struct emu_parsed *parsed;
	bool tunneled; /* the CQE describes the inner headers */
	uint32_t hash, flow_tag;
	uint8_t hash_type;
};

/** emu_rq_read_posted - read the producer index from the doorbell record; see rq->posted */
void emu_rq_read_posted(struct emu *emu, struct emu_rq *rq);
/** emu_rq_has_buffer - whether a receive WQE is posted; reads the doorbell record if needed */
static inline bool emu_rq_has_buffer(struct emu *emu, struct emu_rq *rq)
{
	if (rq->posted == rq->cc)
		emu_rq_read_posted(emu, rq);
	return rq->posted != rq->cc;
}

/** emu_rq_deliver - write a frame to the next WQE and complete it, or drop and count the frame */
void emu_rq_deliver(struct emu *emu, struct emu_rq *rq, const struct emu_rx *rx);

/** emu_rq_strips_vlan - whether the RQ removes the outer C-tag of this frame */
static inline bool emu_rq_strips_vlan(const struct emu_rq *rq, const struct emu_parsed *p)
{
	return !rq->vsd && p->outer.tpid[0] == EMU_TPID_C;
}

/**
 * emu_rq_scatter - write a frame to the buffers of the WQE at rq->cc
 * @bytes: receives the length for the CQE: without a stripped tag, with an FCS that is kept
 *
 * Return: 0, or the syndrome for the error CQE
 */
uint8_t emu_rq_scatter(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx,
		       uint32_t *bytes);

/** emu_rq_error_tail - last bytes of the error CQE of the WQE at rq->cc */
static inline struct emu_cqe_tail emu_rq_error_tail(const struct emu_rq *rq)
{
	return (struct emu_cqe_tail){ .sop = rq->obj.id,
				      .wqe_counter = rq->cc,
				      .op = PRM_CQE_RESP_ERR };
}

/**
 * emu_rq_flush_failed - drop the WQEs that drivers posted to RQs in ERR
 *
 * PRM-MISSING: an RQ in ERR also flushes WQEs that are posted later. (Linux relies on it for the
 * receive queue of a QP, mlx5_ib_drain_rq.)
 */
void emu_rq_flush_failed(struct emu *emu);

#endif
