/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_H
#define EMU_QUEUE_H

#include "emu/base/mem.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

/**
 * DOC: Queues
 *
 * Firmware (fw_*.c) creates, modifies and destroys these; the engine (cq.c, sq.c, rq.c, eq.c)
 * runs them. A queue's ring and doorbell record are spans: over a umem (DEVX) or over the
 * PAS list of its mailbox (kernel).
 */

/** enum emu_wq_state - sqc.state, rqc.state */
enum emu_wq_state { EMU_WQ_RST = 0, EMU_WQ_RDY = 1, EMU_WQ_ERR = 3 };

struct emu_uar {
	struct emu_obj obj;
	void *page;              /* watched memory, or NULL */
	struct emu_sq *sqs;      /* SQs whose wq.uar_page is this one, linked by next_on_uar */
};

struct emu_eq {
	struct emu_obj obj;
	struct emu_span ring;
	uint8_t log_size;
	uint16_t vector;         /* eqc.intr */
	uint64_t event_mask;     /* of types 0..63; the EQ that has a type's bit gets its events */
	uint32_t pi, ci;
	bool oi;
	struct prm_eqc ctx;
};

/** emu_eq_post - write an EQE and raise the EQ's interrupt. @data: 7 host-endian dwords */
void emu_eq_post(struct emu *emu, struct emu_eq *eq, uint8_t type, uint8_t sub_type,
		 const uint32_t data[7]);

enum { EMU_CQ_HELD = 16 };

struct emu_cq {
	/* read or written for every CQE; zero is right for a new CQ */
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem; /* references, or NULL */
	uint8_t log_size, log_cqe; /* log_cqe 6 or 7 */
	bool oi, cc;               /* overrun ignore, collapsed */
	uint8_t status;            /* 0 ok, 9 overflow, 0xa write failure: it is dead */
	uint8_t arm;               /* cqc.st: 0 none, 6 solicited, 9 next, 0xa fired */
	uint8_t arm_sn;            /* of the last arm that fired, 2 bits */
	bool arm_sn_used;
	bool arm_late;             /* it came once more after its event was read */
	uint32_t event_at;         /* index in the EQ of the event that arm_sn had */
	uint32_t pi;               /* CQEs written, the last n_held without their tails */
	uint32_t n_held;
	uint64_t held[EMU_CQ_HELD]; /* tails to come, as memory has them */
	struct emu_cq *next_held;  /* in the adapter's list of CQs that may hold some */
	bool in_held;
	uint32_t ci;               /* consumer index as last read from the record */
	uint32_t arm_dw0;          /* the arm doorbell that was last acted on */
	bool armed_once;           /* arm_dw0 holds one */
	bool arm_early;            /* ... found in the record: its doorbell is still to come */
	uint16_t max_count;        /* moderation: CQEs an event waits for; 0: any number */
	uint64_t period_ns;        /* ... and how long; 0: not at all */
	bool period_from_cqe;      /* ... since the last CQE, not the last event */
	uint32_t n_quiet;          /* armed, CQEs since then */
	uint64_t event_ns, due_ns; /* of the last event, and of the next at the latest */
	struct emu_cq *next_due;   /* in the port's list of CQs whose event waits */
	bool in_due;
	struct emu_eq *eq;         /* reference */
	struct emu_uar *uar;       /* reference */
	struct prm_cqc ctx;        /* as created and modified, for QUERY_CQ */
};

/**
 * emu_cq_slot - where the next CQE goes
 *
 * The bytes before sop_drop_qpn are zeroed; those from there on still belong to the last
 * lap, whose owner bit the driver reads, and are emu_cq_push()'s to write.
 *
 * Return: the slot, or NULL when the CQ is full or in error (overrun: CQ_ERROR is raised)
 */
struct prm_cqe *emu_cq_slot(struct emu *emu, struct emu_cq *cq);

/** struct emu_cqe_tail - the last 8 bytes of a CQE, host-endian */
struct emu_cqe_tail {
	uint32_t sop;              /* sop_drop_qpn, s_wqe_opcode_qpn */
	uint16_t wqe_counter;
	uint8_t op;                /* enum prm_cqe_opcode */
	bool event;                /* PRM_CE_ALWAYS_EVENT: an EQE, armed or not */
};

/**
 * emu_cq_push - hand the slot over; makes the event if it is armed
 *
 * The tail, with the owner bit, is the last that is written of a CQE, in one store. Tails are
 * held back for a few CQEs, at most until the adapter's lock is given back: a driver that
 * polls for each CQE would otherwise take its cache line away while it is being written.
 */
void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail);

/** emu_cq_publish - let the driver see every CQE that was pushed; emu_unlock() does it */
void emu_cq_publish(struct emu_adapter *a);

/** emu_cq_forget_event - the CQ goes: an event that waits is not made */
void emu_cq_forget_event(struct emu *emu, struct emu_cq *cq);

/** emu_cq_arm - the CQ's arm doorbell: host-endian dword 0 as PRM_DBR_CQ_ARM has it */
void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0);

struct emu_sq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	uint8_t state, log_size;   /* WQEBBs */
	bool allow_multi_pkt, flush_in_error;
	uint8_t min_inline;
	uint16_t pc, cc;           /* posted (from the record), executed: WQEBBs, mod 2^16 */
	bool rung;                 /* a doorbell came: in emu->busy until cc == pc */
	bool fresh;                /* no doorbell since RST->RDY: ... */
	uint16_t stale;            /* ... the record may still hold this from before */
	bool first_error_done;     /* PRM_CE_FIRST_ERROR was used up */
	bool has_bf;               /* bf is a WQE's that is posted and not executed */
	struct prm_ctrl_seg bf;    /* as BlueFlame wrote it: holds instead of memory's */
	uint16_t at_entry;         /* DS already sent of the multi-packet WQE at cc */
	uint32_t pd, user_index;
	struct emu_cq *cq;
	struct emu_uar *uar;
	struct emu_tis *tis;
	struct emu_sq *next_on_uar;
	struct emu_sq *next_busy;  /* ring of rung SQs, see struct emu */
	uint64_t n_packets, n_bytes;
	struct prm_sqc ctx;
};

/** emu_sq_reset - the RST->RDY part of MODIFY_SQ that touches engine state */
void emu_sq_reset(struct emu_sq *sq);
/** emu_sq_forget - before the SQ is destroyed: the engine lets go of it */
void emu_sq_forget(struct emu *emu, struct emu_sq *sq);
/** emu_sq_fail - put the SQ into ERR and flush what is posted */
void emu_sq_fail(struct emu *emu, struct emu_sq *sq);
/** emu_sq_run - execute posted WQEs, at most @budget packets. Return: packets moved */
unsigned emu_sq_run(struct emu *emu, struct emu_sq *sq, unsigned budget);

/** struct emu_qp - a queue pair. It receives nothing; its SQ executes UMR WQEs */
struct emu_qp {
	struct emu_sq sq;          /* its obj is the QP's; sq.cq is cqn_snd */
	uint8_t state;             /* enum emu_qp_state, finer than sq.state */
	struct emu_cq *rcv_cq;
	struct emu_obj *srq;       /* reference, or NULL */
	struct emu_q_counter *counter; /* the same; since RST2INIT */
	struct prm_qpc ctx;
};

/** enum emu_qp_state - qpc.state */
enum emu_qp_state {
	EMU_QP_RST = 0, EMU_QP_INIT = 1, EMU_QP_RTR = 2, EMU_QP_RTS = 3, EMU_QP_ERR = 6,
};

enum { EMU_QP_MIGRATED = 3 };      /* qpc.pm_state: there is one path. Linux MLX5_QP_PM_MIGRATED */

struct emu_rq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	uint8_t state, log_size, log_stride; /* stride in bytes: 1 << log_stride, >= 4 */
	bool flush_in_error, vsd, scatter_fcs;
	uint16_t cc;               /* WQEs consumed */
	uint16_t posted;           /* as last read from the record: read again when cc reaches it */
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

void emu_rq_reset(struct emu_rq *rq);
void emu_rq_fail(struct emu *emu, struct emu_rq *rq);

struct emu_td { struct emu_obj obj; };
struct emu_tis { struct emu_obj obj; struct emu_td *td; struct prm_tisc ctx; };

struct emu_rqt {
	struct emu_obj obj;
	uint32_t max, n;
	struct emu_rq **rq;        /* n references */
	struct prm_rqtc ctx;
};

enum { EMU_RSS_KEY_BYTES = 40 };

struct emu_tir {
	struct emu_obj obj;
	bool indirect;
	struct emu_rq *rq;         /* direct; reference */
	struct emu_rqt *rqt;       /* indirect; reference */
	struct emu_td *td;
	uint8_t hash_fn;           /* 0 none, 1 inverted XOR8, 2 Toeplitz */
	bool symmetric;
	uint8_t key[EMU_RSS_KEY_BYTES];
	struct emu_toeplitz *toeplitz; /* of key, made by emu_tir_prepare() */
	uint32_t outer;            /* rx_hash_field_selector_outer, host-endian dword */
	uint8_t self_lb_block;
	struct prm_tirc ctx;
};

/**
 * emu_tir_prepare - make the hash tables of a TIR's key; after CREATE_TIR and MODIFY_TIR set it
 *
 * Return: 0, or -ENOMEM
 */
int emu_tir_prepare(struct emu_tir *tir);
/** emu_tir_release - free them; before DESTROY_TIR */
void emu_tir_release(struct emu_tir *tir);

/**
 * emu_doorbells - take what was rung on every watched page; @emu's adapter is locked
 *
 * The engine's turn begins with it, and so does every firmware command: on a bus a doorbell
 * cannot be overtaken by the command that was written after it.
 */
void emu_doorbells(struct emu *emu);

#endif
