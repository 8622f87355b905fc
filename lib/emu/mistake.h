/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_MISTAKE_H
#define EMU_MISTAKE_H

#include <stdint.h>

/**
 * DOC: Protocol mistakes
 *
 * A protocol mistake is a malformed command, or a breach of the protocol that an adapter reports
 * late or never. A correct driver makes none. Not every refused command is a mistake
 * (emu_mistake_of()). The core counts mistakes in memory of its caller. The launcher shares
 * that memory with the program it starts, so the counts survive _exit() and kill -9.
 */

/* EMU_MISTAKE(name, sentence) */
#define EMU_MISTAKES                                                                               \
	EMU_MISTAKE(reserved_bit, "a command set a reserved bit")                                  \
	EMU_MISTAKE(bad_length, "a command had the wrong length")                                  \
	EMU_MISTAKE(no_object, "a command named an object that does not exist")                    \
	EMU_MISTAKE(contradiction, "a command contradicted itself or an object that it names")     \
	EMU_MISTAKE(db_not_advanced, "a send doorbell while the doorbell record was not ahead")    \
	EMU_MISTAKE(db_wrong_uar, "a doorbell on a UAR page that the queue does not use")          \
	EMU_MISTAKE(db_unknown_queue, "a doorbell for a queue that does not exist")                \
	EMU_MISTAKE(db_not_ready, "a doorbell for a queue that is in RST")                         \
	EMU_MISTAKE(sq_overrun, "a driver posted more WQEs than the send queue has room for")      \
	EMU_MISTAKE(rq_overrun, "a driver posted more WQEs than the receive queue has room for")   \
	EMU_MISTAKE(cq_overrun, "a completion queue was full when the device had a CQE for it")    \
	EMU_MISTAKE(eq_overrun, "an event queue was full when the device had an event for it")     \
	EMU_MISTAKE(cq_ci_ahead, "a CQ's consumer index was ahead of its producer index")          \
	EMU_MISTAKE(wqe_index, "a WQE's index differs from its place in the ring")                 \
	EMU_MISTAKE(wqe_sqn, "a WQE has the number of another queue")                              \
	EMU_MISTAKE(bad_wqe, "a WQE was malformed")                                                \
	EMU_MISTAKE(ctrl_flags, "a send WQE had a fence or a signature, which no driver sets")     \
	EMU_MISTAKE(empty_segment, "a send WQE had a data segment of 0 bytes")                     \
	EMU_MISTAKE(bad_lkey, "a segment's lkey, address or access was wrong")                     \
	EMU_MISTAKE(memory_lost, "a driver unmapped or truncated memory that the device uses")     \
	EMU_MISTAKE(arm_stale, "a CQ was armed with a serial number already used")                 \
	EMU_MISTAKE(left_behind, "a driver shut the function down without destroying its objects")

enum emu_mistake {
#define EMU_MISTAKE(name, sentence) EMU_MISTAKE_##name,
	EMU_MISTAKES
#undef EMU_MISTAKE
		EMU_N_MISTAKES
};

/** struct emu_mistakes - number of mistakes per kind; written with the adapter lock held */
struct emu_mistakes {
	uint64_t n[EMU_N_MISTAKES];
	char first[EMU_N_MISTAKES][160]; /* one sentence about the first mistake of each kind */
};

/** emu_mistake_text - the sentence that describes a kind of mistake, from EMU_MISTAKES */
const char *emu_mistake_text(enum emu_mistake m);

#endif
