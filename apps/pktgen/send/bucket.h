/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_BUCKET_H
#define PKTGEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/units.h"

/**
 * DOC: Token bucket on the TSC
 *
 * The bucket gains @rate tokens per second, and each frame costs some. A token is a millionth of
 * the rate's unit: of a packet, of a bit of a frame, or of a bit on the link. Therefore a bit rate
 * is exact even for frames of different sizes.
 *
 * @rest keeps the fraction of a token, so rounding loses nothing. The bucket holds the tokens of
 * BUCKET_DEPTH_MS, but at least those of BUCKET_MIN_PACKETS frames. So a sender that got no CPU for
 * that time catches up. Further tokens are lost: a sender that falls further behind does not catch
 * up, and the report may say that the rate was not reached.
 *
 * In a ramp, the rate changes linearly. An interval earns tokens at the rate of its middle, so the
 * sum over any intervals is exact.
 */

enum {
	BUCKET_DEPTH_MS = 50,
	BUCKET_MIN_PACKETS = 64,
	BUCKET_LINE_EXTRA_BYTES = 20, /* preamble, start of frame delimiter and gap (IEEE 802.3) */
};

/**
 * struct bucket - a token bucket; used by one thread
 * @rate: tokens per second, after the ramp; 0: no limit
 * @first_rate, @ramp_end, @ramp_ticks: tokens per second at the start of the ramp, clock at its
 *   end, and its length; 0: no ramp
 * @hz: clock ticks per second
 * @depth: largest number of tokens
 * @tokens: tokens in the bucket
 * @rest: fraction of a token, in 1/@hz
 * @last: clock at the last bucket_fill()
 * @per_packet, @per_byte, @extra_bytes: cost of a frame; see bucket_compute_cost()
 */
struct bucket {
	uint64_t rate;
	uint64_t first_rate, ramp_end, ramp_ticks;
	uint64_t hz;
	uint64_t depth;
	uint64_t tokens;
	uint64_t rest;
	uint64_t last;
	uint64_t per_packet, per_byte, extra_bytes;
};

/**
 * bucket_init - make a bucket that holds the tokens of one largest frame
 * @b: the bucket
 * @rate: the requested rate
 * @link_mbps: speed of the link for RATE_LINE; ignored for other units
 * @max_bytes: length of the largest frame, FCS included
 * @hz: clock ticks per second
 * @now: the clock
 */
void bucket_init(struct bucket *b, const struct rate *rate, uint32_t link_mbps, uint32_t max_bytes,
		 uint64_t hz, uint64_t now);

/**
 * bucket_set_ramp - start at another rate, and change it linearly
 * @b: from bucket_init()
 * @first: the rate at the start of the ramp, in the same unit
 * @link_mbps, @max_bytes: as in bucket_init()
 * @begin: clock at the start
 * @ticks: length of the ramp
 */
void bucket_set_ramp(struct bucket *b, const struct rate *first, uint32_t link_mbps,
		     uint32_t max_bytes, uint64_t begin, uint64_t ticks);

/** bucket_compute_asked - compute the tokens of the first @ticks of sending, ramp included */
double bucket_compute_asked(const struct bucket *b, double ticks);

/** bucket_fill - add the tokens of the time since the last call, up to @depth */
void bucket_fill(struct bucket *b, uint64_t now);

/** bucket_compute_cost - compute the tokens that a frame of @bytes costs, FCS included */
static inline uint64_t bucket_compute_cost(const struct bucket *b, uint32_t bytes)
{
	return b->per_packet + b->per_byte * (bytes + b->extra_bytes);
}

/** bucket_take - pay for a frame. Return: false if there are too few tokens; pays nothing then */
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
