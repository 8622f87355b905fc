/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_RING_H
#define EMU_QUEUE_CQ_RING_H

#include "emu/base/mkey.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/eq.h"
#include "emu/queue/wq.h"
#include "prm/cqe.h"

enum { EMU_CQ_HELD = 16 };

struct emu_cq {
	/* read or written for every CQE; zero is right for a new CQ */
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem; /* references, or NULL */
	uint8_t log_size, log_cqe;             /* log_cqe 6 or 7 */
	bool oi, cc;                           /* overrun ignore, collapsed */
	uint8_t status;                        /* 0 ok, 9 overflow, 0xa write failure: it is dead */
	uint8_t arm;                           /* cqc.st: 0 none, 6 solicited, 9 next, 0xa fired */
	uint8_t arm_sn;                        /* of the last arm that fired, 2 bits */
	bool arm_sn_used;
	bool arm_late;     /* it came once more after its event was read */
	uint32_t event_at; /* index in the EQ of the event that arm_sn had */
	uint32_t pi;       /* CQEs written, the last n_held without their tails */
	uint32_t n_held;
	uint64_t held[EMU_CQ_HELD]; /* tails to come, as memory has them */
	struct emu_cq *next_held;   /* in the adapter's list of CQs that may hold some */
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
	struct emu_eq *eq;   /* reference */
	struct emu_uar *uar; /* reference */
	struct prm_cqc ctx;  /* as created and modified, for QUERY_CQ */
};

/**
 * emu_cq_unread - CQEs that software has not read, by a consumer index @ci
 *
 * Some drivers publish 16 bits of their consumer index only, so the difference is taken modulo
 * twice the size, or 2^16 where that is less: of a CQ with 2^16 entries and more an overrun
 * cannot be told.
 */
static inline uint32_t emu_cq_unread(const struct emu_cq *cq, uint32_t ci)
{
	const uint32_t twice = 2u << cq->log_size;
	const uint32_t modulo = twice < EMU_RING_INDEXES ? twice : EMU_RING_INDEXES;

	return (cq->pi - ci) & (modulo - 1);
}

/** emu_cq_record - a dword of the doorbell record, host-endian; 0: its memory is gone */
static inline uint32_t emu_cq_record(const struct emu_cq *cq, unsigned dword)
{
	const uint32_t *rec = emu_span_ptr(&cq->dbr, dword * sizeof(prm_be32));

	return rec ? prm_swap32(__atomic_load_n(rec, __ATOMIC_ACQUIRE)) : 0;
}

/** emu_cq_entry - place of the CQE with number @index, or NULL: its memory is gone */
static inline struct prm_cqe *emu_cq_entry(const struct emu_cq *cq, uint32_t index)
{
	const uint32_t place = cq->cc ? 0 : index & ((1u << cq->log_size) - 1);
	const uint64_t second_half = cq->log_cqe > 6 ? sizeof(struct prm_cqe) : 0;

	return emu_span_ptr(&cq->ring, ((uint64_t)place << cq->log_cqe) + second_half);
}

/** emu_cq_publish_one - emu_cq_publish() for one CQ */
void emu_cq_publish_one(struct emu_cq *cq);

/** emu_cq_publish - let the driver see every CQE that was pushed; emu_unlock() does it */
void emu_cq_publish(struct emu_adapter *a);

#endif
