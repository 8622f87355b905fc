/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_IMPAIR_H
#define EMU_WIRE_IMPAIR_H

#include "emu/control.h"
#include "emu/wire/parcel.h"

/**
 * DOC: A bad cable
 *
 *     frame --> [dropped | corrupted | duplicated | held back] --> [delay] --> deliver
 *
 * A frame suffers at most one of the four, so that who counts at the other end can be
 * compared with what was done:
 *
 *     drop       one frame is missing
 *     corrupt    one frame has one bit of its payload wrong
 *     dup        one frame comes twice, one copy right after the other
 *     reorder    one frame comes right after the next whole frame of its own flow, which it
 *                preceded; if none follows within 10 ms, it is let go and was not reordered
 *
 * A probability is drawn for every frame by itself. 1/N is exact: one of every N frames, or
 * the next one that can be, where that frame has another fault. The same seed on the same
 * frames does the same; ports and directions differ from each other.
 */

/** struct emu_chance - how often */
struct emu_chance {
	uint64_t one_in; /* one of so many frames; 0: by probability */
	uint64_t below;  /* a frame whose 64-bit draw is below it; 0: never */
	bool always;     /* probability 1 */
};

struct emu_impair_config {
	struct emu_chance drop, corrupt, dup, reorder;
	uint64_t delay_ns;
	uint64_t seed;
};

/** emu_impair_any - whether there is anything to do */
bool emu_impair_any(const struct emu_impair_config *cfg);

/**
 * emu_impair_new - a cable
 * @cfg: copied
 * @salt: makes this one differ from others of the same seed
 * @sink: copied
 * @faults: where what was done is counted; outlives it
 *
 * Return: NULL when there is no memory
 */
struct emu_impair *emu_impair_new(const struct emu_impair_config *cfg, uint64_t salt,
				  const struct emu_impair_sink *sink,
				  struct emu_wire_faults *faults);
void emu_impair_free(struct emu_impair *i);

/** emu_impair_send - a frame enters. Return: false: not now, frames before it still wait */
bool emu_impair_send(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns);
/** emu_impair_turn - let go of what is due. Return: frames delivered */
unsigned emu_impair_turn(struct emu_impair *i, uint64_t now_ns, unsigned budget);

#endif
