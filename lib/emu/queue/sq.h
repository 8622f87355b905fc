/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_SQ_H
#define EMU_QUEUE_SQ_H

#include "emu/base/mkey.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/doorbell.h"
#include "prm/wqe.h"

/**
 * DOC: Queues
 *
 *     UAR page --doorbell--> busy SQs --sq.c--> WQE --wqe_*.c--> frame --port.c--> wire
 *                                |                                              |
 *                               cq.c <--rq.c-- TIR <--steering-- packet <--port.c
 *                                '--eq.c--> interrupt
 *
 * Commands (firmware/) create, modify and destroy queues; the engine (device/engine.c) runs them.
 * The ring and the doorbell record of a queue are spans: of a umem (DEVX) or of the PAS list in its
 * mailbox (kernel). Callers of this folder hold the adapter's lock, except callers of emu.h.
 */

/** struct emu_td - transport domain */
struct emu_td {
	struct emu_obj obj;
};

/** struct emu_tis - transport interface send, which an SQ needs to send frames */
struct emu_tis {
	struct emu_obj obj;
	struct emu_td *td;
	struct prm_tisc ctx;
};

struct emu_sq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	uint8_t state, log_size; /* WQEBBs */
	bool flush_in_error;
	bool real_time; /* its time stamps are from the real-time clock */
	uint8_t min_inline;
	uint16_t pc, cc;       /* producer (from the record) and consumer counter, in WQEBBs */
	bool rung;             /* in the list emu->busy: has pending WQEBBs */
	bool lost;             /* the client unmapped the ring or the record: no access */
	bool fresh;            /* no doorbell since emu_sq_reset(): the record may still be stale */
	uint16_t stale;        /* value of the record at emu_sq_reset() */
	bool first_error_done; /* the SQ has written its first error CQE (PRM_CE_FIRST_ERROR) */
	bool has_bf;           /* bf is valid, and its WQE is pending */
	union {                /* first WQEBB, from the BlueFlame register instead of the ring */
		struct prm_ctrl_seg bf;
		uint8_t bf_wqebb[PRM_WQEBB_BYTES];
	} __attribute__((aligned(16))); /* like the segments in the ring */
	uint32_t at_entry;              /* WQE at cc: next DS (MPSW) or segment (LSO) to send */
	uint32_t pd, user_index;
	struct emu_cq *cq;
	struct emu_uar *uar;
	struct emu_tis *tis;
	struct emu_sq *next_on_uar;
	struct emu_sq *next_busy;   /* link of the circular list emu->busy */
	uint16_t rate;              /* entry of emu->rate; 0: no limit */
	uint64_t next_ns;           /* with a rate: the next frame is sent at this time or later */
	uint64_t rest;              /* fraction of next_ns, in units of 1 / kbps ns */
	struct emu_sq *next_parked; /* link of the list emu->parked */
	bool parked;
	uint64_t n_packets, n_bytes;
	uint64_t made; /* emu->n_sqs_made after the SQ was created */
	struct prm_sqc ctx;
};

/** emu_sq_posted - number of WQEBBs that are posted and pending */
static inline uint16_t emu_sq_posted(const struct emu_sq *sq)
{
	return sq->pc - sq->cc;
}

/** emu_sq_bf_ahead - whether the WQE of sq->bf is still pending */
static inline bool emu_sq_bf_ahead(const struct emu_sq *sq)
{
	return (uint16_t)(prm_ctrl_index(&sq->bf) - sq->cc) < 1u << sq->log_size;
}

/** emu_sq_ring - execute a doorbell; @pc: the producer counter in the doorbell record */
void emu_sq_ring(struct emu *emu, struct emu_sq *sq, uint16_t pc);

/** emu_sq_record - producer counter in the doorbell record; sq->pc if its memory is unmapped */
uint16_t emu_sq_record(struct emu *emu, const struct emu_sq *sq);

/** emu_sq_wake - add an SQ to the list of SQs with work, unless it is there */
void emu_sq_wake(struct emu *emu, struct emu_sq *sq);

/** emu_sq_reset - reset the counters of an SQ, on a change to RST or RDY (a QP: RST or RTS) */
void emu_sq_reset(struct emu *emu, struct emu_sq *sq);
/** emu_sq_forget - remove an SQ from the lists of parked SQs and of SQs with work */
void emu_sq_forget(struct emu *emu, struct emu_sq *sq);

/** emu_sq_flush - drop all posted WQEs of an SQ in ERR, with error CQEs if flush_in_error */
void emu_sq_flush(struct emu *emu, struct emu_sq *sq);
/** emu_sq_fail - put the SQ into ERR and flush all posted WQEs */
void emu_sq_fail(struct emu *emu, struct emu_sq *sq);

/**
 * emu_sq_run - execute posted WQEs, up to @budget packets; an LSO WQE may exceed the budget
 *
 * Return: number of packets sent; a NOP, UMR or failed WQE counts as one packet
 */
unsigned emu_sq_run(struct emu *emu, struct emu_sq *sq, unsigned budget);

/** struct emu_qp - a queue pair. It does not receive; its SQ executes UMR and NOP WQEs */
struct emu_qp {
	struct emu_sq sq; /* first member: sq.obj is the object of the QP; sq.cq is cqn_snd */
	uint8_t state;    /* enum prm_qpc_state, has more states than sq.state */
	struct emu_cq *rcv_cq;
	struct emu_obj *srq;           /* reference, or NULL */
	struct emu_q_counter *counter; /* reference, or NULL; set by RST2INIT */
	struct prm_qpc ctx;
};

#endif
