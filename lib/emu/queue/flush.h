/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_FLUSH_H
#define EMU_QUEUE_FLUSH_H

#include "emu/queue/cq.h"

/** struct emu_flush - a flush CQE: the error CQE of a WQE that a queue in ERR does not execute */
struct emu_flush {
	struct emu_flush *next;      /* link of the list emu->flushes */
	uint64_t due_ns;             /* earliest time at which the device writes the CQE */
	const struct emu_obj *queue; /* the SQ, RQ or QP */
	struct emu_cq *cq;           /* the CQ of @queue */
	uint32_t user_index;         /* user index of @queue */
	struct emu_cqe_tail tail;
};

/**
 * emu_flush_add - write a flush CQE now, or late_flush_us later if that option is set
 *
 * A late CQE is written even if the queue has left ERR by then.
 *
 * PRM-MISSING: a change to RST does not stop flush CQEs that the device has not written yet. (No
 * source says it; Linux' mlx5e_tx_reporter_err_cqe_recover waits for all CQEs before the change.)
 */
void emu_flush_add(struct emu *emu, const struct emu_flush *f);

/** emu_flush_write_due - write the late CQEs that are due */
void emu_flush_write_due(struct emu *emu);

/** emu_flush_find_due - time of the next late CQE in ns, or @due_ns if that is earlier */
uint64_t emu_flush_find_due(const struct emu *emu, uint64_t due_ns);

/** emu_flush_forget - drop the late CQEs of a queue that is about to be destroyed */
void emu_flush_forget(struct emu *emu, const struct emu_obj *queue);

#endif
