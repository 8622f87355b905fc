/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PACING_H
#define EMU_QUEUE_PACING_H

#include "emu/queue/sq.h"

/**
 * DOC: Packet pacing
 *
 * An SQ can name an entry of the rate table, which SET_PP_RATE_LIMIT writes. Each frame moves the
 * time of the next one (sq->next_ns) by its length at that rate. Several SQs with one entry have
 * the rate each. An SQ whose time has not come leaves the list of SQs with work, and is parked.
 *
 * An SQ with work catches up after a late turn of the engine of at most 100 ms. An SQ that was idle
 * may send burst_upper_bound bytes at once.
 *
 * Every SQ has the rate of its entry for itself. Source: Linux, find_rl_entry, which gives SQs with
 * equal rates one entry, and mlx5e_set_sq_maxrate, which sets the rate of one Tx queue.
 *
 * PRM-MISSING: the rate counts the bytes of a frame without FCS, preamble and gap. (net_mlx5's test
 * mode counts no preamble and no gap, but 64 bytes for a frame that the device pads to 60:
 * mlx5_txpp_alloc_pp_index.)
 */

/** emu_pace_begin - an SQ without work gets work: bound what it saved up while it was idle */
void emu_pace_begin(struct emu *emu, struct emu_sq *sq);
/** emu_pace_restart - begin with another entry, or without one, as an SQ that was idle */
void emu_pace_restart(struct emu *emu, struct emu_sq *sq);
/** emu_pace_must_wait - return true if an SQ with a rate may not send a frame now */
bool emu_pace_must_wait(const struct emu *emu, const struct emu_sq *sq);
/** emu_pace_charge - account for a frame of @bytes that an SQ with a rate sent */
void emu_pace_charge(const struct emu *emu, struct emu_sq *sq, uint32_t bytes);

/** emu_pace_park - take an SQ that must wait out of the list of SQs with work */
void emu_pace_park(struct emu *emu, struct emu_sq *sq);
/** emu_pace_unpark - remove an SQ from the list of parked SQs, if it is there */
void emu_pace_unpark(struct emu *emu, struct emu_sq *sq);
/** emu_pace_wake - return the parked SQs whose time has come to the engine */
void emu_pace_wake(struct emu *emu);
/** emu_pace_find_due - earliest time of a parked SQ in ns, or @due_ns if that is earlier */
uint64_t emu_pace_find_due(const struct emu *emu, uint64_t due_ns);

#endif
