/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_IMPAIR_H
#define EMU_WIRE_IMPAIR_H

#include "emu/control.h"
#include "emu/wire/parcel.h"

/**
 * DOC: Faults of a wire
 *
 *     frame --> [dropped | corrupted | duplicated | held back] --> [delay] --> deliver
 *
 * A frame has at most one of these four faults, so the counts at a receiver match the counters:
 *
 *     drop       the frame does not arrive
 *     corrupt    one bit of the payload is inverted; in a frame without payload, any bit after the
 *                Ethernet header
 *     dup        the frame arrives twice, one copy right after the other
 *     reorder    the frame arrives right after the next uncorrupted frame of its flow; if none
 *                follows within 10 ms, the frame is delivered and not counted as reordered
 *
 * 1/N hits exactly one frame in N; if that frame has another fault, a later frame is hit instead.
 * The same seed and the same frames produce the same faults. Each port and direction has its own
 * faults.
 */

/** struct emu_chance - how often a fault happens */
struct emu_chance {
	uint64_t one_in; /* exactly one frame in one_in; 0: by probability */
	uint64_t below;  /* probability times 2^64: hit if a random number is less; 0: never */
	bool always;     /* probability 1 */
};

struct emu_impair_config {
	struct emu_chance drop, corrupt, dup, reorder;
	uint64_t delay_ns;
	uint64_t seed;
};

/** emu_impair_any - whether @cfg asks for any fault or for a delay */
bool emu_impair_any(const struct emu_impair_config *cfg);

/**
 * emu_impair_new - create the faults of one direction of a port
 * @cfg: copied
 * @salt: a different number for each port and direction, so that their faults differ
 * @sink: copied
 * @faults: counters to increment; must outlive the result
 *
 * Return: the faults, or NULL if memory runs out
 */
struct emu_impair *emu_impair_new(const struct emu_impair_config *cfg, uint64_t salt,
				  const struct emu_impair_sink *sink,
				  struct emu_wire_faults *faults);
void emu_impair_free(struct emu_impair *i);

/**
 * emu_impair_send - apply faults to a frame and deliver it
 *
 * Return: true; false if earlier frames still wait for the receiver (pause=on), so that the caller
 * must send the frame again later
 */
bool emu_impair_send(struct emu_impair *i, const struct emu_frame *f, uint64_t now_ns);
/** emu_impair_turn - deliver up to @budget frames that are due. Return: frames delivered */
unsigned emu_impair_turn(struct emu_impair *i, uint64_t now_ns, unsigned budget);
/**
 * emu_impair_find_due - earliest time after @now when a held frame is due, in ns
 *
 * Ignores frames that are due already: these wait for their receiver (pause=on).
 *
 * Return: that time, or @due if that is earlier
 */
uint64_t emu_impair_find_due(const struct emu_impair *i, uint64_t now, uint64_t due);

#endif
