/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_MISTAKE_H
#define EMU_MISTAKE_H

#include <stdint.h>

/**
 * DOC: Protocol mistakes
 *
 * What a driver may not do, and a device would swallow or answer with silence. They are
 * counted in memory that the launcher shares, so the counts survive _exit and kill -9.
 */

/* EMU_MISTAKE(name, sentence) */
#define EMU_MISTAKES                                                                               \
	EMU_MISTAKE(reserved_bit, "a command set a reserved bit")                                  \
	EMU_MISTAKE(unmodelled_field, "a command set a field that emu does not model")             \
	EMU_MISTAKE(bad_length, "a command had the wrong length")                                  \
	EMU_MISTAKE(db_not_advanced, "a send doorbell without its doorbell record advanced")       \
	EMU_MISTAKE(db_wrong_uar, "a doorbell on a UAR page that the queue does not use")          \
	EMU_MISTAKE(db_unknown_queue, "a doorbell for a queue that does not exist")                \
	EMU_MISTAKE(db_not_ready, "a doorbell for a queue that is not in RDY")                     \
	EMU_MISTAKE(sq_overrun, "a send queue's producer went more than its size ahead")           \
	EMU_MISTAKE(rq_overrun, "a receive queue's producer went more than its size ahead")        \
	EMU_MISTAKE(cq_overrun, "a CQE was due and the completion queue was full")                 \
	EMU_MISTAKE(cq_ci_ahead, "a consumer index went past what was produced")                   \
	EMU_MISTAKE(wqe_index, "a WQE's index is not its place in the ring")                       \
	EMU_MISTAKE(wqe_sqn, "a WQE carries another queue's number")                               \
	EMU_MISTAKE(bad_wqe, "a WQE was malformed")                                                \
	EMU_MISTAKE(bad_lkey, "a segment's lkey, address or access was wrong")                     \
	EMU_MISTAKE(arm_stale, "a CQ was armed with a serial number already used")                 \
	EMU_MISTAKE(left_behind, "a driver shut the function down and left objects in it")

enum emu_mistake {
#define EMU_MISTAKE(name, sentence) EMU_MISTAKE_##name,
	EMU_MISTAKES
#undef EMU_MISTAKE
		EMU_N_MISTAKES
};

/** struct emu_mistakes - the counts, one word each, written by the engine alone */
struct emu_mistakes {
	uint64_t n[EMU_N_MISTAKES];
	char first[EMU_N_MISTAKES][160]; /* what the first of its kind looked like, terminated */
};

/** emu_mistake_text - the sentence of EMU_MISTAKE(name, sentence) */
const char *emu_mistake_text(enum emu_mistake m);

#endif
