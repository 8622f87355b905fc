/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/bucket.h"

enum { MILLI = 1000, BITS = 8 };

void bucket_init(struct bucket *b, const struct rate *rate, uint32_t link_mbps, uint32_t max_bytes,
		 uint64_t hz, uint64_t now)
{
	const unsigned __int128 milli = rate->milli;
	uint64_t least;

	*b = (struct bucket){ .hz = hz, .last = now };
	switch (rate->unit) {
	case RATE_MAX:
		return;
	case RATE_PACKETS:
		b->rate = rate->milli;
		b->per_packet = MILLI;
		break;
	case RATE_BITS:
		b->rate = rate->milli;
		b->per_byte = BITS * MILLI;
		break;
	case RATE_LINE_BITS:
		b->rate = rate->milli;
		b->per_byte = BITS * MILLI;
		b->extra_bytes = BUCKET_LINE_EXTRA_BYTES;
		break;
	case RATE_LINE:
		/* milli is 1/1000 %, a token 1/1000 bit: milli / 1e5 * link_mbps * 1e6 * 1e3 */
		b->rate = (uint64_t)(milli * link_mbps * 10000);
		b->per_byte = BITS * MILLI;
		b->extra_bytes = BUCKET_LINE_EXTRA_BYTES;
		break;
	}
	least = BUCKET_MIN_PACKETS * bucket_compute_cost(b, max_bytes);
	b->depth = b->rate / 1000 * BUCKET_DEPTH_MS;
	if (b->depth < least)
		b->depth = least;
	b->tokens = bucket_compute_cost(b, max_bytes);
}

void bucket_fill(struct bucket *b, uint64_t now)
{
	const unsigned __int128 in = (unsigned __int128)(now - b->last) * b->rate + b->rest;
	const uint64_t room = b->depth - b->tokens;

	b->last = now;
	if (in / b->hz >= room) {
		b->tokens = b->depth;
		b->rest = 0;
		return;
	}
	b->tokens += (uint64_t)(in / b->hz);
	b->rest = (uint64_t)(in % b->hz);
}
