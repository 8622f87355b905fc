/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PACING_H
#define EMU_QUEUE_PACING_H

#include "emu/queue/sq.h"

/**
 * DOC: Packet pacing
 *
 * An SQ can name an entry of the rate table, which SET_PP_RATE_LIMIT writes. Each frame postpones
 * the next one (sq->next_ns) by its own duration at that rate. An SQ that must wait moves from the
 * list of SQs with work to the list of parked SQs.
 *
 * An SQ with work catches up if a turn of the engine is up to 100 ms late. An SQ that was idle may
 * send burst_upper_bound bytes at once.
 *
 * SQs that name the same entry do not share its rate: each may send at the full rate. Source:
 * Linux, find_rl_entry, which gives SQs with equal rates one entry, and mlx5e_set_sq_maxrate, which
 * sets the rate of one Tx queue.
 *
 * PRM-MISSING: the rate counts the bytes of a frame without FCS, preamble and gap. (net_mlx5's test
 * mode counts no preamble and no gap, but 64 bytes for a frame that the device pads to 60:
 * mlx5_txpp_alloc_pp_index.)
 */

/** emu_pace_begin - limit an SQ that was idle and gets work to one burst at once */
void emu_pace_begin(struct emu *emu, struct emu_sq *sq);
/** emu_pace_restart - apply a change of sq->rate, as if the SQ had been idle */
void emu_pace_restart(struct emu *emu, struct emu_sq *sq);
/** emu_pace_must_wait - return true if an SQ with a rate may not send a frame now */
bool emu_pace_must_wait(const struct emu *emu, const struct emu_sq *sq);
/** emu_pace_charge - postpone the next frame of an SQ that has sent a frame of @bytes */
void emu_pace_charge(const struct emu *emu, struct emu_sq *sq, uint32_t bytes);

/** emu_pace_park - move an SQ that must wait to the list of parked SQs */
void emu_pace_park(struct emu *emu, struct emu_sq *sq);
/** emu_pace_unpark - remove an SQ from the list of parked SQs, if it is there */
void emu_pace_unpark(struct emu *emu, struct emu_sq *sq);
/** emu_pace_wake - return the parked SQs that may send to the list of SQs with work */
void emu_pace_wake(struct emu *emu);
/** emu_pace_find_due - earliest time of a parked SQ in ns, or @due_ns if that is earlier */
uint64_t emu_pace_find_due(const struct emu *emu, uint64_t due_ns);

#endif
