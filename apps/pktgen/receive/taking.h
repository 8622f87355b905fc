/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TAKING_H
#define PKTGEN_TAKING_H

#include "base/counter.h"
#include "receive/rx.h"

/**
 * struct taking - a burst that is being counted
 * @polled, @polled_ns: when the burst was received: TSC, and ns since the start of the run
 * @line: converts timestamps of the port
 * @now_ns: receive time of the current frame, ns since the start of the run
 * @row, @limit: the stream of the row, and the lowest number that its sender has not used yet
 * @epoch_first: first number of the epoch of @polled_ns; UINT64_MAX: not yet begun
 * @row_frames, @row_bytes: frames of the row
 * @arrived, @distinct: frames of expected streams; the first copies among them
 *
 * Consecutive frames of one stream form a row. Their counts are summed up here, so that the
 * counters of the stream are written only once per row.
 */
struct taking {
	struct rx *rx;
	uint64_t polled, polled_ns;
	struct clock_line line;
	uint64_t now_ns;
	struct rx_stream *row;
	uint64_t limit, epoch_first, row_frames, row_bytes;
	uint64_t arrived, distinct;
};

static inline uint64_t taking_load_limit(const struct tx *tx)
{
	return atomic_load_explicit(&tx->given, memory_order_acquire);
}

static inline void taking_end_row(struct taking *t)
{
	if (!t->row_frames)
		return;
	if (!t->row->first)
		t->row->first = t->polled;
	t->row->last = t->polled;
	counter_add(&t->row->arrived, t->row_frames);
	counter_add(&t->row->bytes, t->row_bytes);
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
	if (s->tx->epochs)
		t->epoch_first = epochs_load_first(s->tx->epochs, t->polled_ns >> EPOCHS_NS_BITS);
}

/** taking_record_old - record the latency of a frame that may be of an earlier epoch (rare) */
void taking_record_old(struct taking *t, struct rx_stream *s, const struct sign_mark *mark);

/** taking_add_intact - count a frame of the row whose signature and payload are whole */
static inline void taking_add_intact(struct taking *t, struct rx_stream *s,
				     const struct sign_mark *mark)
{
	const uint32_t ns = (uint32_t)t->now_ns - mark->time_ns;

	t->distinct += track_add_arrival(&s->track, mark->seq, false, &s->order);
	/* A frame of this epoch is younger than 2^32 ns. From 2^31 ns on, a clock may be wrong. */
	if (likely(mark->seq >= t->epoch_first && ns <= INT32_MAX))
		latency_row_record(&s->latency, ns);
	else
		taking_record_old(t, s, mark);
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
