/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MATCH_H
#define PKTGEN_MATCH_H

#include <stdint.h>

#include "capture.h"
#include "track.h"

/**
 * DOC: Which frame of a replayed capture is this?
 *
 * A capture is sent as it is: its frames carry no number. The n-th frame sent is frame
 * n mod N of the capture, and n is the frame's number here. A frame that arrives is
 * compared with the one expected next. If it is another, the number is looked for:
 *
 *     ... 17 18 19 20 | 21 22 23 ...
 *     arrived already   ^ head: expected next
 *
 *   same bytes    the number nearest to the head with these bytes; where two are equally
 *                 near: one that is missing, one that has arrived (a duplicate), one ahead.
 *                 Instead of a duplicate, the same frame of the pass before if that is missing
 *   else damaged  the number within MATCH_NEAR of the head whose frame is as long and
 *                 differs in the fewest bytes, MATCH_MAX_DAMAGE at most; where several do,
 *                 one that has not arrived
 *   else foreign
 *
 * Exact for a capture whose frames all differ and that is sent once. In passes, as long as no
 * half capture is lost in a row; and a frame that is lost in one pass and duplicated in the next
 * looks like one that was late. Where frames have the same bytes ("twins") a loss of one and a
 * duplicate of another cannot be told apart by anybody.
 */

enum {
	MATCH_NEAR = 64,
	MATCH_MAX_DAMAGE = 8,
};

/** enum match_verdict - what a frame is */
enum match_verdict { MATCH_GOOD, MATCH_DAMAGED, MATCH_FOREIGN };

/** struct match - receiver of one replay. One thread */
struct match {
	const struct capture *capture;
	uint64_t head;   /* number expected next */
	uint32_t cursor; /* head mod N */
};

/**
 * match_frame - find out a frame's number
 * @m: the receiver
 * @t: what has arrived; read only
 * @limit: numbers below this were given out
 * @bytes: the frame, without FCS. @n_bytes: of it
 * @seq: set unless MATCH_FOREIGN
 */
enum match_verdict match_frame(struct match *m, const struct track *t, uint64_t limit,
			       const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq);

#endif
