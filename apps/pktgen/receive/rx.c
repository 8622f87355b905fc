/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/taking.h"

#include <rte_ethdev.h>

/* rx_poll() receives at most BURSTS bursts, so that senders in the same thread get their turn. */
enum { BURSTS = 8, PREFETCH = 4 };

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
	if (likely(tsc < t->polled)) {
		const uint64_t age_ns = run_clock_ticks_to_ns(t->rx->clock, t->polled - tsc);

		/* By the error of the clock, a frame may have arrived before the run began. */
		t->now_ns -= RTE_MIN(age_ns, t->now_ns);
	}
}

/* Counts a frame. Returns whether an expected stream sent it. */
static inline bool take_frame(struct taking *t, const uint8_t *frame, uint32_t bytes)
{
	struct rx *rx = t->rx;
	struct rx_stream *s = rx->only;
	struct sign_mark mark;

	if (!s) {
		const int id = sign_peek_stream(frame, bytes, rx->run);

		s = id >= 0 && (unsigned)id < rx->n_all ? rx->signed_stream[id] : NULL;
	}
	if (s) {
		taking_select_row(t, s);
		if (likely(flow_is_as_sent(s->tx->flow, frame, bytes, t->limit, &mark))) {
			taking_add_intact(t, s, &mark);
			return true;
		}
	}
	return taking_add_other(t, frame, bytes);
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
	const uint64_t now_ns = run_clock_to_ns(rx->clock, now);
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
	taking_end_row(&t);
	rte_pktmbuf_free_bulk(burst, n);
	counter_add(&rx->packets, n);
	counter_add(&rx->bytes, bytes);
	counter_add(&rx->arrived, t.arrived);
	counter_add(&rx->distinct, t.distinct);
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
