/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_ENGINE_H
#define EMU_ENGINE_H

#include "emu/base/dev.h"

/**
 * DOC: The engine, from the inside
 *
 *     UAR page --doorbell.c--> busy SQs --sq.c--> WQE --wqe_*.c--> frame --port.c--> wire
 *                                  |                                              |
 *                                 cq.c <--rq.c-- TIR <--steer.c-- parse.c <--port.c
 *                                  '--eq.c--> interrupt
 *
 * Everything here runs with the adapter locked, on whichever thread polls.
 */

enum {
	EMU_RING_INDEXES = 1 << 16,      /* producer counters of SQs and RQs are 16 bits wide */
	EMU_ETH_HEADER = 14,
	EMU_ETH_VLAN = 4,
	EMU_ETH_FCS = 4,
	EMU_ETH_MIN = 60,                /* shortest frame on a wire, without FCS */
	EMU_FRAME_OVERHEAD = EMU_ETH_HEADER + EMU_ETH_VLAN, /* beyond the MTU, without FCS */
};

/** emu_port_limit - longest frame that the port takes, without FCS */
static inline uint32_t emu_port_limit(const struct emu *emu)
{
	return (uint32_t)emu->link.mtu + EMU_FRAME_OVERHEAD;
}

/* ---- events ----------------------------------------------------------------- */

/** emu_event - post an event to the EQ that asked for its type; without one it is lost */
void emu_event(struct emu *emu, uint8_t type, uint8_t sub_type, const uint32_t dwords[7]);

/** emu_cq_fail_queues - emu_callbacks.cq_failed: SQs and RQs in RDY go into ERR (cq_error.c) */
void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq);

/* cq_ring.c: place of a CQE; CQEs that software has not read; a dword of the record */
struct prm_cqe *emu_cq_entry(const struct emu_cq *cq, uint32_t index);
uint32_t emu_cq_unread(const struct emu_cq *cq, uint32_t ci);
uint32_t emu_cq_record(const struct emu_cq *cq, unsigned dword);
/** emu_cq_publish_one - emu_cq_publish() for one CQ */
void emu_cq_publish_one(struct emu_cq *cq);

/** emu_cq_notify - a CQE was pushed: an event for whoever armed. @always: armed or not */
void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always);
/** emu_cq_events_due - make the events that waited long enough */
void emu_cq_events_due(struct emu *emu);

/** emu_cq_arm_from_record - act on an arm whose doorbell another CQ's may have overwritten */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq);

/* ---- send queues ------------------------------------------------------------ */

/** emu_sq_rung - a doorbell came: @pc is the producer counter of the record */
void emu_sq_rung(struct emu *emu, struct emu_sq *sq, uint16_t pc);

/** emu_sq_record - producer counter in the doorbell record of @sq */
static inline uint16_t emu_sq_record(const struct emu_sq *sq)
{
	const uint32_t *rec = emu_span_ptr(&sq->dbr, PRM_DBR_SND * sizeof(prm_be32));

	return rec ? (uint16_t)prm_swap32(__atomic_load_n(rec, __ATOMIC_ACQUIRE)) : sq->pc;
}

/** struct emu_wqe - a send WQE while it is executed */
struct emu_wqe {
	struct emu_sq *sq;
	uint32_t at;             /* first byte in the ring */
	uint8_t opcode, ce;
	unsigned n_ds;
};

/** emu_wqe_ds - segment @i of a WQE; it may lie past the ring's end, at its start again */
static inline const void *emu_wqe_ds(const struct emu_wqe *w, unsigned i)
{
	const uint32_t mask = (PRM_WQEBB_BYTES << w->sq->log_size) - 1;

	return emu_span_ptr(&w->sq->ring, (w->at + i * PRM_DS_BYTES) & mask);
}

/** emu_sq_posted - WQEBBs posted and not executed */
static inline uint16_t emu_sq_posted(const struct emu_sq *sq)
{
	return sq->pc - sq->cc;
}

/** emu_sq_bf_ahead - whether the WQE of sq->bf is one to come, and not one that is done with */
static inline bool emu_sq_bf_ahead(const struct emu_sq *sq)
{
	return (uint16_t)(prm_ctrl_index(&sq->bf) - sq->cc) < 1u << sq->log_size;
}

/** emu_wqe_bbs - WQEBBs that a WQE takes; at least one, so that a broken one can be passed */
static inline uint16_t emu_wqe_bbs(unsigned n_ds)
{
	const unsigned ds_per_bb = PRM_WQEBB_BYTES / PRM_DS_BYTES;

	return n_ds ? (uint16_t)((n_ds + ds_per_bb - 1) / ds_per_bb) : 1;
}

/** emu_wqe_fetch - the WQE at sq->cc. Return: its control segment, or NULL: its memory is gone */
const struct prm_ctrl_seg *emu_wqe_fetch(struct emu_sq *sq, struct emu_wqe *w);
/** emu_wqe_complete - the CQE that an executed WQE asks for, if it does */
void emu_wqe_complete(struct emu *emu, const struct emu_wqe *w);
/** emu_wqe_fail - a WQE cannot be executed: SQ to ERR, CQE, flush of the rest */
void emu_wqe_fail(struct emu *emu, const struct emu_wqe *w, uint8_t syndrome);
/** emu_sq_flush - complete what is posted as flushed */
void emu_sq_flush(struct emu *emu, struct emu_sq *sq);

/** enum emu_wqe_result - how far the execution of a WQE came */
enum emu_wqe_result {
	EMU_WQE_DONE,
	EMU_WQE_LATER,           /* the wire or the budget said so: again from sq->at_entry */
	EMU_WQE_FAILED,          /* with the syndrome in struct emu_tx */
};

/** struct emu_tx - what one call of emu_sq_run() may do and has done */
struct emu_tx {
	struct emu *emu;
	unsigned budget, moved;  /* packets */
	uint8_t syndrome;        /* of EMU_WQE_FAILED */
};

enum emu_wqe_result emu_wqe_send(struct emu_tx *tx, const struct emu_wqe *w);
/** emu_wqe_lso - a TCP segment longer than the MTU, cut to measure (wqe_lso.c) */
enum emu_wqe_result emu_wqe_lso(struct emu_tx *tx, const struct emu_wqe *w);
enum emu_wqe_result emu_wqe_mpsw(struct emu_tx *tx, const struct emu_wqe *w);
/** emu_wqe_umr - change an mkey: its fields, its pages or both (wqe_umr.c) */
enum emu_wqe_result emu_wqe_umr(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_bad - a malformed WQE: counts the mistake and names it. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_bad(struct emu_tx *tx, const struct emu_wqe *w, const char *why);

/** emu_wqe_lkey - as emu_wqe_bad, for an address that the lkey does not give */
enum emu_wqe_result emu_wqe_lkey(struct emu_tx *tx, const struct emu_wqe *w,
				 const struct prm_data_seg *seg);

/* ---- from WQE to frame ------------------------------------------------------ */

/** struct emu_gather - a frame that is put together in emu->gather */
struct emu_gather {
	uint8_t *start;          /* first byte; there is room for a VLAN tag before it */
	uint32_t bytes;          /* of the frame; those past the buffer are counted, not kept */
};

void emu_gather_begin(struct emu *emu, struct emu_gather *g);
/** emu_gather_wqe - append @bytes that start at byte @off of the WQE itself */
void emu_gather_wqe(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w, uint32_t off,
		    uint32_t bytes);
/** emu_gather_host - append what @seg points to. Return: false: not behind this lkey */
bool emu_gather_host(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w,
		     const struct prm_data_seg *seg);

/** emu_wqe_gather - append what segments @ds and on of a WQE point to, or have inline */
enum emu_wqe_result emu_wqe_gather(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				   struct emu_gather *g);
/** emu_wqe_transmit - send one frame of a WQE */
enum emu_wqe_result emu_wqe_transmit(struct emu_tx *tx, const struct emu_wqe *w,
				     struct emu_frame *f);

/** struct emu_offload - what the Ethernet segment asks for, of every frame of the WQE */
struct emu_offload {
	uint8_t cs_flags;        /* PRM_ETH_CS_L3, _L4 */
	bool insert_vlan;
	uint16_t tpid, tci;
};

/**
 * emu_offload_of - read an Ethernet segment
 *
 * Return: false if it asks for something that this device does not have
 */
bool emu_offload_of(const struct prm_eth_seg *eth, struct emu_offload *o);

/** emu_offload_any - whether a frame has to be changed, so that it cannot be borrowed */
static inline bool emu_offload_any(const struct emu_offload *o)
{
	return o->cs_flags || o->insert_vlan;
}

/** emu_offload_apply - change the frame in @g as asked */
void emu_offload_apply(struct emu_gather *g, const struct emu_offload *o);

/** emu_frame_pad - give a short frame its Ethernet minimum; copies it to emu->gather for that */
void emu_frame_pad(struct emu *emu, struct emu_frame *f);

/* ---- wires ------------------------------------------------------------------ */

/** emu_wire_send - hand a frame to the port's wire, faults and all. Return: as emu_wire_ops.tx */
bool emu_wire_send(struct emu *emu, const struct emu_frame *f);
/** emu_wire_turn - bring in what the wire has, and what its faults held back. Return: frames */
unsigned emu_wire_turn(struct emu *emu, unsigned budget);

/* ---- receive queues --------------------------------------------------------- */

/** struct emu_rx - a frame on its way to an RQ */
struct emu_rx {
	const struct emu_frame *frame;
	const struct emu_parsed *parsed;
	uint32_t hash, flow_tag;
	uint8_t hash_type;
};

/** emu_rq_has_buffer - whether a WQE is posted; reads the record when it knows of none */
bool emu_rq_has_buffer(struct emu *emu, struct emu_rq *rq);
/** emu_rq_deliver - scatter a frame into the next WQE and complete it, or drop and count it */
void emu_rq_deliver(struct emu *emu, struct emu_rq *rq, const struct emu_rx *rx);

/** emu_rq_strips_vlan - whether the RQ takes the frame's outer C-tag out of it */
bool emu_rq_strips_vlan(const struct emu_rq *rq, const struct emu_parsed *p);
/**
 * emu_rq_scatter - write a frame to where the WQE at rq->cc points
 * @bytes: receives the length as the CQE has it
 *
 * Return: 0, or the syndrome of the CQE
 */
uint8_t emu_rq_scatter(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx,
		       uint32_t *bytes);

/** emu_tir_rq - the RQ that a hash leads to */
struct emu_rq *emu_tir_rq(const struct emu_tir *tir, uint32_t hash);

/* ---- steering --------------------------------------------------------------- */

/** emu_match_dword - dword @dw of fte_match_param as the frame has it; host-endian */
uint32_t emu_match_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p);

/* ---- checksums -------------------------------------------------------------- */

/** emu_csum_add - add @bytes from @p, as 16-bit words in memory order, to a running sum */
uint64_t emu_csum_add(uint64_t sum, const uint8_t *p, size_t bytes);
/** emu_csum_fold - one's complement sum of 16 bits, host-endian number of the wire's bytes */
uint16_t emu_csum_fold(uint64_t sum);
/** emu_csum_pseudo - the pseudo header of a parsed IP frame, to start an L4 sum with */
uint64_t emu_csum_pseudo(const struct emu_frame *f, const struct emu_parsed *p);
/** emu_csum_insert - write the IPv4 and L4 checksums that @cs_flags asks for */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, uint8_t cs_flags);
/** emu_crc32 - Ethernet's FCS of a frame, in the order of the wire when stored little-endian */
uint32_t emu_crc32(uint32_t crc, const uint8_t *p, size_t bytes);

#endif
