/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/tx.h"

#include "base/counter.h"

/*
 * Returns how many frames the times of the capture allow until @due, and records how late they are
 * at @now.
 */
static unsigned count_due(struct tx *tx, uint64_t given, unsigned most, uint64_t due, uint64_t now)
{
	const uint64_t now_ns = run_clock_ticks_to_ns(tx->clock, now - tx->begin);
	const uint64_t due_ns = run_clock_ticks_to_ns(tx->clock, due - tx->begin);
	const unsigned n = replay_count_due(tx->capture, tx->speed, given, most, due_ns);

	for (unsigned i = 0; i < n; i++)
		histogram_record(&tx->late,
				 now_ns - replay_compute_due(tx->capture, tx->speed, given + i));
	return n;
}

/* Returns how many frames of the next burst the count and the rate allow, and pays for them. */
static __rte_always_inline unsigned count_allowed(struct tx *tx, uint64_t given, uint64_t due,
						  uint64_t now)
{
	const uint64_t left = tx->count - given;
	const unsigned most =
		pace_limit(&tx->pace, left < PKTGEN_BURST ? (unsigned)left : PKTGEN_BURST);
	uint32_t cursor = tx->cursor;
	unsigned n = 0;

	if (tx->speed > 0)
		return count_due(tx, given, most, due, now);
	if (tx->bucket.rate == 0)
		return most;
	for (; n < most; n++) {
		const uint32_t bytes = tx->capture ? tx->capture->frames[cursor].n_bytes
						   : flow_compute_bytes(tx->flow, given + n);

		if (!bucket_take(&tx->bucket, bytes + PKTGEN_FCS_BYTES))
			break;
		if (tx->capture && ++cursor == tx->capture->n_frames)
			cursor = 0;
	}
	return n;
}

static void finish_sending(struct tx *tx, uint64_t now)
{
	tx->end = now;
	atomic_store_explicit(&tx->done, true, memory_order_release);
}

static void set_blocked(struct tx *tx, bool is_blocked)
{
	atomic_store_explicit(&tx->blocked, is_blocked, memory_order_relaxed);
}

/* Allows the frames of the next burst that were due at TSC @due. Returns whether there are any. */
static __rte_always_inline bool allow_burst(struct tx *tx, uint64_t given, uint64_t due,
					    uint64_t now)
{
	if (pace_is_waiting(&tx->pace, due)) {
		tx->bucket.last = tx->pace.next; /* waiting earns no tokens */
		return false;
	}
	if (tx->bucket.rate)
		bucket_fill(&tx->bucket, due);
	/* Frames that the rate allowed before, but that found no room, stay allowed. */
	if (!tx->n_allowed)
		tx->n_allowed = count_allowed(tx, given, due, now);
	return tx->n_allowed;
}

/* Makes the frames that are allowed. Returns their number; 0 if there is no room. */
static __rte_always_inline unsigned make_allowed(struct tx *tx, uint64_t given, uint64_t now)
{
	const unsigned n = tx->sender->make(tx, tx->n_allowed, given, now);

	if (!n) {
		set_blocked(tx, true);
		return 0;
	}
	tx->n_allowed -= n;
	pace_take(&tx->pace, n, now);
	if (tx->epochs && now >= tx->epochs->next)
		epochs_update(tx->epochs, tx->clock, given, now);
	/* Before the port gets the frames: to the receiver, numbers from @given on are foreign. */
	atomic_store_explicit(&tx->given, given + n, memory_order_release);
	tx->n_pending = n;
	return n;
}

/*
 * Returns the time until which frames were due when sending is over. The packet that is due at the
 * end itself does not leave, although a ramp, which is rounded, may allow it just before.
 */
static uint64_t find_last_due(const struct tx *tx)
{
	return tx->until - 1 - tx->clock->hz / US_PER_S;
}

/* Returns whether frames may have been due before the end, for which the worker came too late. */
static bool is_late(const struct tx *tx, uint64_t given)
{
	if (given == tx->count || atomic_load_explicit(&tx->stop, memory_order_relaxed))
		return false;
	return tx->bucket.rate ? tx->bucket.last <= find_last_due(tx) : tx->speed > 0;
}

/*
 * Ends sending. A worker that comes too late makes one burst of what was due before. Returns its
 * frames.
 */
static __rte_noinline unsigned make_last_burst(struct tx *tx, uint64_t given, uint64_t now)
{
	if (!is_late(tx, given) || !allow_burst(tx, given, find_last_due(tx), now)) {
		finish_sending(tx, now);
		return 0;
	}
	tx->count = given + tx->n_allowed;
	return make_allowed(tx, given, now);
}

/* Makes the next burst. Returns its frames; 0 if none may leave yet, or if sending is over. */
static unsigned make_burst(struct tx *tx, uint64_t now)
{
	const uint64_t given = counter_load(&tx->given);

	if (given == tx->count || now >= tx->until ||
	    atomic_load_explicit(&tx->stop, memory_order_relaxed))
		return make_last_burst(tx, given, now);
	return allow_burst(tx, given, now, now) ? make_allowed(tx, given, now) : 0;
}

/* Returns the bytes, FCS included, of the @n frames from number @first that the port accepted. */
static uint64_t count_taken_bytes(struct tx *tx, uint64_t first, unsigned n)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; !tx->capture && tx->flow->varies && i < n; i++)
		bytes += flow_compute_bytes(tx->flow, first + i) + PKTGEN_FCS_BYTES;
	if (!tx->capture && tx->flow->varies)
		return bytes;
	if (!tx->capture)
		return (uint64_t)n * (tx->flow->bytes + PKTGEN_FCS_BYTES);
	for (; n; n--) {
		bytes += tx->capture->frames[tx->taken_cursor].n_bytes + PKTGEN_FCS_BYTES;
		if (++tx->taken_cursor == tx->capture->n_frames)
			tx->taken_cursor = 0;
	}
	return bytes;
}

/* Records the gap between bursts at TSC @last and @now, and those of 0 inside of @n packets. */
static inline void record_gap(const struct tx *tx, struct histogram *gaps, uint64_t last,
			      uint64_t now, unsigned n)
{
	if (last)
		histogram_record(gaps, run_clock_ticks_to_ns(tx->clock, now - last));
	if (n > 1)
		histogram_record_many(gaps, 0, n - 1);
}

/* Records the gaps of the port. Another queue may have sent after this one read the clock. */
static void record_port_gaps(const struct tx *tx, unsigned n, uint64_t now)
{
	struct port_gaps *g = tx->port_gaps;
	const uint64_t last = atomic_exchange_explicit(&g->last->tsc, now, memory_order_relaxed);

	record_gap(tx, &g->times, last < now ? last : now, now, n);
}

/* Records the gaps before and inside of a burst of @n packets, sent at TSC @now. */
static inline void record_gaps(struct tx *tx, unsigned n, uint64_t now)
{
	if (!tx->gaps.blocks)
		return;
	record_gap(tx, &tx->gaps, tx->last, now, n);
	if (tx->port_gaps)
		record_port_gaps(tx, n, now);
}

/* Records the time of a burst of @n packets, sent at TSC @now. */
static inline void record_time(struct tx *tx, unsigned n, uint64_t now)
{
	if (!n)
		return;
	record_gaps(tx, n, now);
	if (!tx->first)
		tx->first = now;
	tx->last = now;
}

unsigned tx_poll(struct tx *tx)
{
	const uint64_t start = clock_read();
	uint64_t made, end, first;
	unsigned n;

	if (atomic_load_explicit(&tx->done, memory_order_relaxed))
		return 0;
	if (!tx->n_pending && !make_burst(tx, start))
		return 0;
	if (atomic_load_explicit(&tx->stop, memory_order_relaxed)) {
		finish_sending(tx, start);
		return 0;
	}
	made = clock_read();
	n = tx->sender->send(tx);
	end = clock_read();
	tx->make_cycles += made - start;
	tx->send_cycles += end - made;
	tx->n_pending -= n;
	record_time(tx, n, made);
	first = counter_load(&tx->sent);
	counter_add(&tx->sent, n);
	counter_add(&tx->bytes, count_taken_bytes(tx, first, n));
	set_blocked(tx, tx->n_pending != 0);
	return n;
}

void tx_finish(struct tx *tx)
{
	tx->sender->finish(tx);
	tx->n_pending = 0;
}
