/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/bucket.h"

enum { BITS = 8 };

static uint64_t compute_tokens(const struct rate *rate, uint32_t link_mbps)
{
	/* For RATE_LINE, micro is 1e-6 %, a token is 1e-6 bit: micro / 1e8 * Mb/s * 1e12 */
	return rate->unit == RATE_LINE ? rate->micro * link_mbps * 10000 : rate->micro;
}

/* Makes the bucket deep enough for the rate. */
static void raise_depth(struct bucket *b, uint64_t rate, uint32_t max_bytes)
{
	const uint64_t least = BUCKET_MIN_PACKETS * bucket_compute_cost(b, max_bytes);
	const uint64_t depth = rate / 1000 * BUCKET_DEPTH_MS;

	b->depth = depth > b->depth ? depth : b->depth;
	b->depth = least > b->depth ? least : b->depth;
}

void bucket_init(struct bucket *b, const struct rate *rate, uint32_t link_mbps, uint32_t max_bytes,
		 uint64_t hz, uint64_t now)
{
	*b = (struct bucket){ .hz = hz, .last = now };
	switch (rate->unit) {
	case RATE_MAX:
		return;
	case RATE_PACKETS:
		b->per_packet = RATE_MICRO;
		break;
	case RATE_BITS:
		b->per_byte = BITS * RATE_MICRO;
		break;
	case RATE_LINE_BITS:
	case RATE_LINE:
		b->per_byte = BITS * RATE_MICRO;
		b->extra_bytes = BUCKET_LINE_EXTRA_BYTES;
		break;
	}
	b->rate = compute_tokens(rate, link_mbps);
	raise_depth(b, b->rate, max_bytes);
	b->tokens = bucket_compute_cost(b, max_bytes);
}

void bucket_set_ramp(struct bucket *b, const struct rate *first, uint32_t link_mbps,
		     uint32_t max_bytes, uint64_t begin, uint64_t ticks)
{
	b->first_rate = compute_tokens(first, link_mbps);
	b->ramp_ticks = ticks;
	b->ramp_end = begin + ticks;
	raise_depth(b, b->first_rate, max_bytes);
}

double bucket_compute_asked(const struct bucket *b, double ticks)
{
	const double rate = (double)b->rate, first = (double)b->first_rate;
	const double length = (double)b->ramp_ticks, in = ticks < length ? ticks : length;
	const double last = length > 0 ? first + (rate - first) * in / length : rate;

	return ((first + last) / 2 * in + rate * (ticks - in)) / (double)b->hz;
}

/* Returns the tokens earned from clock @b->last to @now, in 1/@hz; both are in the ramp. */
static unsigned __int128 earn_in_ramp(const struct bucket *b, uint64_t now)
{
	/* Twice the time from the middle of the interval to the end of the ramp. */
	const uint64_t twice = b->ramp_end - b->last + b->ramp_end - now;
	const uint64_t left = twice < 2 * b->ramp_ticks ? twice : 2 * b->ramp_ticks;
	const bool is_up = b->rate > b->first_rate;
	const uint64_t span = is_up ? b->rate - b->first_rate : b->first_rate - b->rate;
	const uint64_t less =
		(uint64_t)((unsigned __int128)span * left / (2 * (unsigned __int128)b->ramp_ticks));

	return (unsigned __int128)(now - b->last) * (is_up ? b->rate - less : b->rate + less);
}

void bucket_fill(struct bucket *b, uint64_t now)
{
	unsigned __int128 in = b->rest;
	uint64_t room;

	if (b->last < b->ramp_end) {
		const uint64_t until = now < b->ramp_end ? now : b->ramp_end;

		in += earn_in_ramp(b, until);
		b->last = until;
	}
	in += (unsigned __int128)(now - b->last) * b->rate;
	room = b->depth - b->tokens;
	b->last = now;
	if (in / b->hz >= room) {
		b->tokens = b->depth;
		b->rest = 0;
		return;
	}
	b->tokens += (uint64_t)(in / b->hz);
	b->rest = (uint64_t)(in % b->hz);
}
