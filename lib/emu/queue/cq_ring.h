/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_RING_H
#define EMU_QUEUE_CQ_RING_H

#include "emu/base/mkey.h"
#include "emu/queue/doorbell.h"
#include "emu/queue/eq.h"
#include "prm/cqe.h"

/**
 * DOC: Pending CQEs
 *
 *     emu_cq_slot() -> adapter.held[n_held] -> emu_cq_push() ... emu_cq_publish() -> the rings
 *
 * A driver polls the next entries of its CQ. A write to such an entry must first fetch the cache
 * line from the driver's core. The engine therefore builds CQEs in its own memory and publishes
 * many at a time: first all of them without their last 8 bytes, then those bytes in push order. It
 * publishes after each slice of an SQ, before each EQE, and before it releases the adapter's lock.
 */

enum { EMU_RING_INDEXES = 1 << 16 }; /* producer counters of SQs and RQs are 16 bits wide */

struct emu_cq {
	struct emu_obj obj;
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem; /* references, or NULL */
	uint8_t log_size, log_cqe;             /* log_cqe 6 or 7 */
	bool lost;      /* the client unmapped the ring or the record: no access */
	bool oi, cc;    /* fields oi (overrun ignore) and cc (collapsed) of the cqc */
	uint8_t status; /* cqc.status: 0 OK, 9 overflow, 0xa write failure */
	uint8_t arm;    /* cqc.st: 0 none, 6 solicited, 9 armed, 0xa fired */
	uint8_t arm_sn; /* serial number of the last arm that fired, 2 bits */
	bool arm_sn_used;
	bool arm_late;     /* an arm repeated arm_sn after the driver had read its event */
	uint32_t event_at; /* producer index in the EQ of the event that answered arm_sn */
	uint32_t pi;       /* CQEs pushed; the last n_held of them are not in the ring yet */
	uint32_t n_held;
	uint32_t ci;               /* consumer index, as last read from the record */
	uint32_t arm_dw0;          /* first dword of the last arm that was executed */
	bool armed_once;           /* arm_dw0 is valid */
	bool arm_early;            /* arm_dw0 came from the record; its doorbell is pending */
	uint16_t max_count;        /* moderation: CQEs that end the wait of an event; 0: none do */
	uint64_t period_ns;        /* moderation: longest wait of an event; 0: no moderation */
	bool period_from_cqe;      /* the period starts at the last CQE, not at the last event */
	uint32_t n_quiet;          /* CQEs since the arm */
	uint64_t event_ns, due_ns; /* time of the last event; latest time of the next */
	struct emu_cq *next_due;   /* link of the port's list of CQs with a delayed event */
	bool in_due;
	struct emu *emu;      /* the port */
	uint8_t compress;     /* enum emu_compress */
	bool sum_in_minis;    /* mini CQEs have a checksum, not a hash */
	uint16_t max_session; /* most packets of a session */
	uint32_t chance;      /* state of the numbers that EMU_COMPRESS_SOME draws */
	struct emu_eq *eq;    /* reference */
	struct emu_uar *uar;  /* reference */
	struct prm_cqc ctx;   /* as created and modified, for QUERY_CQ */
};

/**
 * emu_cq_unread - number of CQEs that software has not read, if its consumer index is @ci
 *
 * Some drivers publish only 16 bits of their consumer index. The difference is therefore modulo
 * twice the size of the CQ, and at most modulo 2^16. emu cannot detect the overrun of a CQ with
 * 2^16 or more entries.
 */
static inline uint32_t emu_cq_unread(const struct emu_cq *cq, uint32_t ci)
{
	return (cq->pi - ci) & ((2u << cq->log_size) - 1) & (EMU_RING_INDEXES - 1);
}

/** emu_cq_record - a dword of the doorbell record, host-endian; 0 if its memory is unmapped */
uint32_t emu_cq_record(struct emu *emu, const struct emu_cq *cq, unsigned dword);

/** emu_cq_entry - address of the CQE with number @index; NULL if its memory is unmapped */
static inline struct prm_cqe *emu_cq_entry(const struct emu_cq *cq, uint32_t index)
{
	const uint32_t place = cq->cc ? 0 : index & ((1u << cq->log_size) - 1);
	const uint64_t second_half = cq->log_cqe > 6 ? sizeof(struct prm_cqe) : 0;

	return emu_span_ptr(&cq->ring, ((uint64_t)place << cq->log_cqe) + second_half);
}

/** emu_cq_publish - write the pending CQEs of all CQs to their rings */
void emu_cq_publish(struct emu_adapter *a);

#endif
