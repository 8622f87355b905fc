/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MATCH_H
#define PKTGEN_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/capture.h"
#include "receive/track.h"

/**
 * DOC: Numbers of replayed frames
 *
 * The frames of a capture are sent unchanged, so they carry no number. The n-th frame sent is frame
 * n mod N of the capture, and n is its number. The receiver compares each arrival with the frame of
 * the number expected next, the head. If they differ, it chooses among the numbers of frames with
 * the same bytes. The number that needs the fewest faults wins:
 *
 *   at or after the head   each number in between is lost
 *   before it, missing     each number in between overtook it, or only frames of its conversation,
 *                          if the last arrival is one; at most MATCH_LATE faults within a pass
 *   before it, arrived     a duplicate (half a fault) that each number in between overtook
 *
 * A damaged frame gets the number within MATCH_NEAR of the head with the fewest damaged bytes.
 * doc/pktgen.md says when this is exact.
 */

/* MATCH_OVERTAKERS: the largest number of frames of a conversation that are examined */
enum {
	MATCH_OVERTAKERS = 8,
	MATCH_LATE = 9,
	MATCH_NEAR = 64,
	MATCH_MAX_DAMAGE = 8,
};

/**
 * struct match - receiver of one replayed capture; used by one thread
 * @head: number of the frame that is expected next
 * @cursor: index of that frame in the capture: @head mod N
 * @last: number of the frame that arrived last
 * @order: one number per conversation, for track_add_arrival()
 */
struct match {
	const struct capture *capture;
	uint64_t head, last;
	uint32_t cursor;
	uint64_t *order;
};

/** match_init - expect the frames of the capture from its first one. Return: 0, or -ENOMEM */
int match_init(struct match *m, const struct capture *c);

/** match_free - free the memory; @m is all zero afterwards */
void match_free(struct match *m);

/** match_find_order - find the @order of track_add_arrival() for the conversation of @seq */
static inline uint64_t *match_find_order(const struct match *m, uint64_t seq)
{
	return &m->order[m->capture->frames[seq % m->capture->n_frames].conversation];
}

/**
 * match_intact_frame - find the number of a frame that arrived as it was sent
 * @m: the receiver
 * @t: the numbers that have arrived
 * @limit: lowest number that the sender has not used yet
 * @bytes: the frame, without FCS
 * @n_bytes: length of @bytes
 * @seq: receives the number
 *
 * Return: whether it has one: false if the frame is not in the capture
 */
bool match_intact_frame(struct match *m, const struct track *t, uint64_t limit,
			const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq);

/**
 * match_damaged_frame - find the number of a frame for which match_intact_frame() found none
 *
 * Return: whether it has one: false if more than MATCH_MAX_DAMAGE bytes differ from each frame of
 * the capture that may arrive now
 */
bool match_damaged_frame(struct match *m, const struct track *t, uint64_t limit,
			 const uint8_t *bytes, uint32_t n_bytes, uint64_t *seq);

#endif
