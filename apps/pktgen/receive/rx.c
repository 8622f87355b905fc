/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/rx.h"

#include <rte_ethdev.h>

/* rx_poll() receives at most BURSTS bursts, so that senders in the same thread get their turn. */
enum { BURSTS = 8, PREFETCH = 4 };

/* The largest number of streams whose frames are compared with one that has a damaged signature. */
enum { MAX_GUESSES = 64 };

/* No device clock is wrong by more than this. */
enum { MAX_EARLY_NS = 1 << 24 };

#define ADD(counter, n)                                                                            \
	atomic_store_explicit(&(counter),                                                          \
			      atomic_load_explicit(&(counter), memory_order_relaxed) + (n),        \
			      memory_order_relaxed)

/*
 * A burst that is being counted. Consecutive frames of one stream form a row. Their counts are
 * summed up here, so that the counters of the stream are written only once per row.
 * @polled, @polled_ns: when the burst was received: TSC, and ns mod 2^32
 * @line: converts timestamps of the port
 * @now_ns: receive time of the current frame, mod 2^32
 * @row, @limit: the stream of the row, and the lowest number that its sender has not used yet
 * @row_frames, @row_bytes: frames of the row
 * @arrived, @distinct: frames of expected streams; the first copies among them
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

static inline uint64_t load_limit(const struct tx *tx)
{
	return atomic_load_explicit(&tx->given, memory_order_acquire);
}

static inline void end_row(struct taking *t)
{
	if (!t->row)
		return;
	ADD(t->row->arrived, t->row_frames);
	ADD(t->row->bytes, t->row_bytes);
	t->arrived += t->row_frames;
	t->row_frames = 0;
	t->row_bytes = 0;
}

static inline void select_row(struct taking *t, struct rx_stream *s)
{
	if (likely(s == t->row))
		return;
	end_row(t);
	t->row = s;
	t->limit = load_limit(s->tx);
}

/*
 * Times are mod 2^32 ns. Because of the clock's error, a timestamp may be earlier than the time at
 * which its frame was made. Then the latency is 0.
 */
static inline uint32_t compute_latency(uint32_t now_ns, uint32_t made_ns)
{
	const uint32_t ns = now_ns - made_ns;

	return likely(ns < UINT32_MAX - MAX_EARLY_NS) ? ns : 0;
}

/*
 * Finds the receive time of a frame: its timestamp, or the time of its burst if it has no plausible
 * timestamp. Ignores one that is later than the burst because of the clock's error.
 */
static inline void find_time(struct taking *t, const struct rte_mbuf *m)
{
	const struct port_stamps *stamps = t->rx->stamps;
	const uint64_t tsc = stamps_get_tsc(stamps, &t->line, m);

	t->now_ns = t->polled_ns;
	if (unlikely(!stamps_has(stamps, m) ||
		     !clock_can_be_receive_time(tsc, t->polled, t->rx->clock->hz) ||
		     tsc < t->rx->resumed)) {
		t->rx->unstamped++;
		return;
	}
	if (likely(tsc < t->polled))
		t->now_ns -= (uint32_t)run_clock_ticks_to_ns(t->rx->clock, t->polled - tsc);
}

/* Counts a signed frame. Returns whether the frame belongs to the stream. */
static inline bool take_signed_frame(struct taking *t, struct rx_stream *s, const uint8_t *frame,
				     uint32_t bytes)
{
	struct sign_mark mark;

	select_row(t, s);
	switch (flow_read_frame(s->tx->flow, frame, bytes, t->limit, &mark)) {
	case SIGN_GOOD:
		t->distinct += track_add_arrival(&s->track, mark.seq, false, &s->order);
		latency_row_record(&s->latency, compute_latency(t->now_ns, mark.time_ns));
		return true;
	case SIGN_DAMAGED:
		t->distinct += track_add_arrival(&s->track, mark.seq, true, &s->order);
		return true;
	case SIGN_UNREADABLE:
		track_add_unreadable(&s->track);
		t->distinct++;
		return true;
	case SIGN_FOREIGN:
		break;
	}
	return false;
}

/* Counts a frame of a replayed capture. Returns whether the frame belongs to the capture. */
static inline bool take_captured_frame(struct taking *t, const uint8_t *frame, uint32_t bytes)
{
	struct rx_stream *s = t->rx->captured;
	enum match_verdict v;
	uint64_t seq;

	select_row(t, s);
	v = match_frame(&s->match, &s->track, t->limit, frame, bytes, &seq);
	if (v == MATCH_FOREIGN)
		return false;
	t->distinct += track_add_arrival(&s->track, seq, v == MATCH_DAMAGED,
					 match_find_order(&s->match, seq));
	return true;
}

/* Counts an intact frame of a stream that another port expects. Returns whether it is one. */
static bool take_misdirected_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes)
{
	const int id = sign_peek_stream(frame, bytes, rx->run);
	struct sign_mark mark;

	if (id < 0 || (unsigned)id >= rx->n_all || rx->all[id]->capture || rx->signed_stream[id] ||
	    flow_read_frame(rx->all[id]->flow, frame, bytes, load_limit(rx->all[id]), &mark) !=
		    SIGN_GOOD)
		return false;
	rx->misdirected_id = (uint32_t)id;
	ADD(rx->misdirected, 1);
	return true;
}

/* Returns whether this run replays a capture with frames that run @run signed. */
static bool replays_run(const struct rx *rx, unsigned run)
{
	for (unsigned i = 0; i < rx->n_all; i++) {
		if (rx->all[i]->capture && capture_has_run(rx->all[i]->capture, run))
			return true;
	}
	return false;
}

/* Counts a frame that no expected stream sent. @run: the run that signed it, or -1 */
static void count_other_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes, int run)
{
	if (rx->responder && bytes <= PKTGEN_MAX_SIZE &&
	    responder_take_frame(rx->responder, frame, bytes)) {
		ADD(rx->requests, 1);
	} else if (run >= 0 && (unsigned)run != rx->run && !replays_run(rx, (unsigned)run)) {
		rx->other_run_number = (uint32_t)run;
		ADD(rx->other_run, 1);
	} else {
		ADD(rx->unknown, 1);
	}
}

/*
 * Finds the stream of a frame that differs from those of the stream that its signature names, if it
 * has one (rare). Returns whether an expected stream sent it.
 */
static __rte_noinline bool take_damaged_frame(struct taking *t, const uint8_t *frame,
					      uint32_t bytes)
{
	const int run = sign_find_run(frame, bytes);
	struct rx *rx = t->rx;

	/* First: with equal headers, it may look like a damaged frame of an expected stream. */
	if (take_misdirected_frame(rx, frame, bytes))
		return false;
	/* An intact signature names its stream: nothing is left to guess. */
	for (unsigned i = 0; run < 0 && i < rx->n_streams && i < MAX_GUESSES; i++) {
		if (&rx->streams[i] != rx->captured &&
		    take_signed_frame(t, &rx->streams[i], frame, bytes))
			return true;
	}
	count_other_frame(rx, frame, bytes, run);
	return false;
}

/* Counts a frame. Returns whether an expected stream sent it. */
static inline bool take_frame(struct taking *t, const uint8_t *frame, uint32_t bytes)
{
	struct rx *rx = t->rx;
	struct rx_stream *s = rx->only;

	if (!s) {
		const int id = sign_peek_stream(frame, bytes, rx->run);

		s = id >= 0 && (unsigned)id < rx->n_all ? rx->signed_stream[id] : NULL;
	}
	return (s && take_signed_frame(t, s, frame, bytes)) ||
	       (rx->captured && take_captured_frame(t, frame, bytes)) ||
	       take_damaged_frame(t, frame, bytes);
}

/*
 * Returns the frame in one piece; copies a frame of several buffers to @room. Copies are rare,
 * because each buffer holds the largest frame of the MTU.
 */
static const uint8_t *get_whole_frame(struct rte_mbuf *m, uint8_t room[PKTGEN_MAX_SIZE])
{
	if (likely(m->nb_segs == 1))
		return rte_pktmbuf_mtod(m, uint8_t *);
	return rte_pktmbuf_read(m, 0, RTE_MIN(m->pkt_len, (uint32_t)PKTGEN_MAX_SIZE), room);
}

static void take_burst(struct rx *rx, struct rte_mbuf **burst, unsigned n, uint64_t now)
{
	const uint32_t now_ns = (uint32_t)run_clock_to_ns(rx->clock, now);
	struct taking t = { .rx = rx, .polled = now, .polled_ns = now_ns, .now_ns = now_ns };
	const bool has_stamps = rx->stamps->on;
	uint64_t bytes = 0;
	uint8_t room[PKTGEN_MAX_SIZE];

	if (has_stamps)
		t.line = device_clock_get_line(&rx->stamps->clock);
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *frame = get_whole_frame(burst[i], room);
		const uint32_t frame_bytes = burst[i]->pkt_len + PKTGEN_FCS_BYTES;

		if (i + PREFETCH < n)
			rte_prefetch0(rte_pktmbuf_mtod(burst[i + PREFETCH], void *));
		bytes += frame_bytes;
		if (has_stamps)
			find_time(&t, burst[i]);
		if (take_frame(&t, frame, RTE_MIN(burst[i]->pkt_len, (uint32_t)PKTGEN_MAX_SIZE))) {
			t.row_frames++;
			t.row_bytes += frame_bytes;
		}
	}
	end_row(&t);
	rte_pktmbuf_free_bulk(burst, n);
	ADD(rx->packets, n);
	ADD(rx->bytes, bytes);
	ADD(rx->arrived, t.arrived);
	ADD(rx->distinct, t.distinct);
}

unsigned rx_poll(struct rx *rx)
{
	struct rte_mbuf *burst[PKTGEN_BURST];
	unsigned total = 0, n;

	for (unsigned i = 0; i < BURSTS; i++) {
		n = rte_eth_rx_burst(rx->port, rx->queue, burst, PKTGEN_BURST);
		const uint64_t now = clock_read();

		if (n && rx->polled)
			histogram_record(&rx->polls,
					 run_clock_ticks_to_ns(rx->clock, now - rx->polled));
		/* After a full burst, frames may wait that arrived before it. */
		if (n < PKTGEN_BURST)
			rx->polled = now;
		if (!n)
			break;
		if (!rx->first)
			rx->first = now;
		rx->last = now;
		take_burst(rx, burst, n, now);
		rx->verify_cycles += clock_read() - now;
		total += n;
		if (n < PKTGEN_BURST / 2)
			break;
	}
	return total;
}
