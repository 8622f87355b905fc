/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_H
#define EMU_QUEUE_CQ_H

#include "emu/queue/cq_ring.h"

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
	uint32_t sop; /* sop_drop_qpn, s_wqe_opcode_qpn */
	uint16_t wqe_counter;
	uint8_t op; /* enum prm_cqe_opcode */
	bool event; /* PRM_CE_ALWAYS_EVENT: an EQE, armed or not */
};

/**
 * emu_cq_push - hand the slot over; makes the event if it is armed
 *
 * The tail, with the owner bit, is the last that is written of a CQE, in one store. Tails are
 * held back for a few CQEs, at most until the adapter's lock is given back: a driver that
 * polls for each CQE would otherwise take its cache line away while it is being written.
 */
void emu_cq_push(struct emu *emu, struct emu_cq *cq, struct emu_cqe_tail tail);

#endif
