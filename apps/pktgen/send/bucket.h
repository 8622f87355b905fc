/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_BUCKET_H
#define PKTGEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"

/**
 * DOC: Token bucket on the TSC
 *
 * Tokens flow in at @rate a second and a packet takes its cost. What a rate counts decides
 * what a token is: a thousandth of a packet, of a bit of frame, or of a bit of line. So
 * captures with frames of all sizes keep a bit rate exactly.
 *
 * Nothing is rounded away: the fraction of a token is carried on. The bucket holds
 * BUCKET_DEPTH_MS of its rate (and BUCKET_MIN_PACKETS at least): a sender that was not given
 * its CPU catches up with that much; what flows over is lost, and the run says afterwards
 * that the rate was not met.
 */

enum {
	BUCKET_DEPTH_MS = 50,
	BUCKET_MIN_PACKETS = 64,
	BUCKET_LINE_EXTRA_BYTES = 20, /* preamble, start of frame and gap; IEEE 802.3 */
};

/** struct bucket - the state; one thread */
struct bucket {
	uint64_t rate;  /* tokens a second; 0: no limit */
	uint64_t hz;    /* of the clock */
	uint64_t depth; /* tokens at most */
	uint64_t tokens;
	uint64_t rest;                              /* part of a token, in 1/hz */
	uint64_t last;                              /* clock at the last fill */
	uint64_t per_packet, per_byte, extra_bytes; /* cost of a frame */
};

/**
 * bucket_init - a bucket with one largest frame in it
 * @b: the bucket
 * @rate: what was asked for
 * @link_mbps: speed of the link, for RATE_LINE; else not looked at
 * @max_bytes: of the largest frame, FCS included
 * @hz: of the clock
 * @now: the clock
 */
void bucket_init(struct bucket *b, const struct rate *rate, uint32_t link_mbps, uint32_t max_bytes,
		 uint64_t hz, uint64_t now);

/** bucket_fill - let in what has come since the last time */
void bucket_fill(struct bucket *b, uint64_t now);

/** bucket_compute_cost - tokens of a frame of @bytes, FCS included */
static inline uint64_t bucket_compute_cost(const struct bucket *b, uint32_t bytes)
{
	return b->per_packet + b->per_byte * (bytes + b->extra_bytes);
}

/** bucket_take - pay for a frame. Return: false: not now */
static inline bool bucket_take(struct bucket *b, uint32_t bytes)
{
	const uint64_t cost = bucket_compute_cost(b, bytes);

	if (b->rate == 0)
		return true;
	if (b->tokens < cost)
		return false;
	b->tokens -= cost;
	return true;
}

#endif
