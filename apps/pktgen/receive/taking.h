/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TAKING_H
#define PKTGEN_TAKING_H

#include "receive/rx.h"

/* RX_ADD - add to a counter that only this thread writes */
#define RX_ADD(counter, n)                                                                         \
	atomic_store_explicit(&(counter),                                                          \
			      atomic_load_explicit(&(counter), memory_order_relaxed) + (n),        \
			      memory_order_relaxed)

/* No device clock is wrong by more than this. */
enum { TAKING_MAX_EARLY_NS = 1 << 24 };

/**
 * struct taking - a burst that is being counted
 * @polled, @polled_ns: when the burst was received: TSC, and ns mod 2^32
 * @line: converts timestamps of the port
 * @now_ns: receive time of the current frame, mod 2^32
 * @row, @limit: the stream of the row, and the lowest number that its sender has not used yet
 * @row_frames, @row_bytes: frames of the row
 * @arrived, @distinct: frames of expected streams; the first copies among them
 *
 * Consecutive frames of one stream form a row. Their counts are summed up here, so that the
 * counters of the stream are written only once per row.
 */
struct taking {
	struct rx *rx;
	uint64_t polled;
	uint32_t polled_ns;
	struct clock_line line;
	uint32_t now_ns;
	struct rx_stream *row;
	uint64_t limit, row_frames, row_bytes;
	uint64_t arrived, distinct;
};

static inline uint64_t taking_load_limit(const struct tx *tx)
{
	return atomic_load_explicit(&tx->given, memory_order_acquire);
}

static inline void taking_end_row(struct taking *t)
{
	if (!t->row)
		return;
	RX_ADD(t->row->arrived, t->row_frames);
	RX_ADD(t->row->bytes, t->row_bytes);
	t->arrived += t->row_frames;
	t->row_frames = 0;
	t->row_bytes = 0;
}

static inline void taking_select_row(struct taking *t, struct rx_stream *s)
{
	if (likely(s == t->row))
		return;
	taking_end_row(t);
	t->row = s;
	t->limit = taking_load_limit(s->tx);
}

/*
 * Times are mod 2^32 ns. Because of the clock's error, a timestamp may be earlier than the time at
 * which its frame was made. Then the latency is 0.
 */
static inline uint32_t taking_compute_latency(uint32_t now_ns, uint32_t made_ns)
{
	const uint32_t ns = now_ns - made_ns;

	return likely(ns < UINT32_MAX - TAKING_MAX_EARLY_NS) ? ns : 0;
}

/** taking_add_intact - count a frame of the row whose signature and payload are whole */
static inline void taking_add_intact(struct taking *t, struct rx_stream *s,
				     const struct sign_mark *mark)
{
	t->distinct += track_add_arrival(&s->track, mark->seq, false, &s->order);
	latency_row_record(&s->latency, taking_compute_latency(t->now_ns, mark->time_ns));
}

/**
 * taking_add_other - count a frame that is not as an expected stream sent it
 *
 * It may be changed, damaged, of a replayed capture, or of no stream of this port.
 *
 * Return: whether it belongs to an expected stream
 */
bool taking_add_other(struct taking *t, const uint8_t *frame, uint32_t bytes);

#endif
