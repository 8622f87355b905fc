/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MATCH_H
#define PKTGEN_MATCH_H

#include <stdint.h>

#include "model/capture.h"
#include "receive/track.h"

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
 *   same bytes    one just ahead of the head, MATCH_AHEAD at most: a few are missing between;
 *                 else one behind, of this pass or the one before, that is missing: it is late;
 *                 else the nearest: one that has arrived is a duplicate
 *   else damaged  the number within MATCH_NEAR of the head whose frame is as long and
 *                 differs in the fewest bytes, MATCH_MAX_DAMAGE at most; where several do,
 *                 one that has not arrived, and the nearest
 *   else foreign
 *
 * Exact for a capture whose frames all differ and that is sent once. In passes it is exact as
 * long as no half capture is lost in a row and no frame is late by a whole pass; and a frame
 * that is lost in one pass and duplicated in the next looks like one that was late. Where frames
 * have the same bytes ("twins") a loss of one and a duplicate of another cannot be told apart by
 * anybody.
 *
 * Order is a matter of each conversation by itself (conversation.h).
 */

enum {
	MATCH_AHEAD = 8,
	MATCH_NEAR = 64,
	MATCH_MAX_DAMAGE = 8,
};

/** enum match_verdict - what a frame is */
enum match_verdict { MATCH_GOOD, MATCH_DAMAGED, MATCH_FOREIGN };

/**
 * struct match - receiver of one replay. One thread
 * @head: number expected next
 * @cursor: head mod N
 * @order: of each conversation, for track_add_arrival()
 */
struct match {
	const struct capture *capture;
	uint64_t head;
	uint32_t cursor;
	uint64_t *order;
};

/** match_init - expect the capture from its start. Return: 0, or -ENOMEM */
int match_init(struct match *m, const struct capture *c);

/** match_free - all zero afterwards */
void match_free(struct match *m);

/** match_find_order - where the order of the conversation of number @seq is kept */
static inline uint64_t *match_find_order(const struct match *m, uint64_t seq)
{
	return &m->order[m->capture->frames[seq % m->capture->n_frames].conversation];
}

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
