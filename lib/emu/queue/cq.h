/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_H
#define EMU_QUEUE_CQ_H

#include "emu/queue/cq_ring.h"

/**
 * emu_cq_slot - begin the next CQE, with zeroes, in memory of the engine
 *
 * The caller fills it and calls emu_cq_push() for it before another emu_cq_slot() of any CQ.
 *
 * Return: the CQE, or NULL: the CQ is in error state, or it is full, or its memory is unmapped or
 * read-only. The last three put the CQ into error state and post a CQ_ERROR event.
 */
struct prm_cqe *emu_cq_slot(struct emu *emu, struct emu_cq *cq);

/** emu_cq_fail - put a CQ into error state, as after a failed write; nothing if it is there */
void emu_cq_fail(struct emu *emu, struct emu_cq *cq);

/** emu_cq_lose - put a CQ whose ring or record the client took away into error state, for good */
void emu_cq_lose(struct emu *emu, struct emu_cq *cq);

/** struct emu_cqe_tail - the last 8 bytes of a CQE, host-endian */
struct emu_cqe_tail {
	uint32_t sop; /* sop_drop_qpn, s_wqe_opcode_qpn */
	uint16_t wqe_counter;
	uint8_t op; /* enum prm_cqe_opcode */
	bool event; /* PRM_CE_ALWAYS_EVENT: post an EQE even if the CQ is not armed */
};

/**
 * emu_cq_push - complete the CQE of emu_cq_slot(); post its event if the CQ is armed or @tail asks
 *
 * The CQE waits for emu_cq_publish(), at most until the engine releases the adapter's lock.
 */
void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail);

#endif
