/* SPDX-License-Identifier: BSD-3-Clause */
#include "receive/rx.h"

#include <rte_ethdev.h>

/* rx_poll() takes at most BURSTS bursts, so that senders in the same thread get their turn. */
enum { BURSTS = 8, PREFETCH = 4 };

#define ADD(counter, n)                                                                            \
	atomic_store_explicit(&(counter),                                                          \
			      atomic_load_explicit(&(counter), memory_order_relaxed) + (n),        \
			      memory_order_relaxed)

static inline void add_latency(struct rx *rx, uint32_t ns)
{
	if (!rx->n_latency++ || ns < rx->latency_min_ns)
		rx->latency_min_ns = ns;
	if (ns > rx->latency_max_ns)
		rx->latency_max_ns = ns;
	rx->latency_sum_ns += ns;
}

/* Counts a signed frame. Returns whether the frame belongs to the flow. */
static inline bool take_signed_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes,
				     uint64_t limit, uint32_t now_ns)
{
	struct sign_mark mark;

	switch (flow_read_frame(rx->tx->flow, frame, bytes, limit, &mark)) {
	case SIGN_GOOD:
		track_add_arrival(&rx->track, mark.seq, false, &rx->order);
		add_latency(rx, now_ns - mark.time_ns);
		return true;
	case SIGN_DAMAGED:
		track_add_arrival(&rx->track, mark.seq, true, &rx->order);
		return true;
	case SIGN_UNREADABLE:
		track_add_unreadable(&rx->track);
		return true;
	case SIGN_FOREIGN:
		break;
	}
	return false;
}

/* Counts a frame of a replayed capture. Returns whether the frame belongs to the capture. */
static inline bool take_captured_frame(struct rx *rx, const uint8_t *frame, uint32_t bytes,
				       uint64_t limit)
{
	uint64_t seq;
	const enum match_verdict v = match_frame(&rx->match, &rx->track, limit, frame, bytes, &seq);

	if (v == MATCH_FOREIGN)
		return false;
	track_add_arrival(&rx->track, seq, v == MATCH_DAMAGED, match_find_order(&rx->match, seq));
	return true;
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
	const uint64_t limit = atomic_load_explicit(&rx->tx->given, memory_order_acquire);
	const uint32_t now_ns = (uint32_t)run_clock_to_ns(rx->clock, now);
	uint64_t bytes = 0, arrived = 0;
	uint8_t room[PKTGEN_MAX_SIZE];

	for (unsigned i = 0; i < n; i++) {
		const uint8_t *frame = get_whole_frame(burst[i], room);

		if (i + PREFETCH < n)
			rte_prefetch0(rte_pktmbuf_mtod(burst[i + PREFETCH], void *));
		bytes += burst[i]->pkt_len + PKTGEN_FCS_BYTES;
		arrived += rx->tx->capture
				   ? take_captured_frame(rx, frame, burst[i]->pkt_len, limit)
				   : take_signed_frame(rx, frame, burst[i]->pkt_len, limit, now_ns);
	}
	rte_pktmbuf_free_bulk(burst, n);
	ADD(rx->packets, n);
	ADD(rx->bytes, bytes);
	ADD(rx->arrived, arrived);
	ADD(rx->foreign, n - arrived);
	atomic_store_explicit(&rx->distinct, rx->track.seen + rx->track.unreadable,
			      memory_order_relaxed);
}

unsigned rx_poll(struct rx *rx)
{
	struct rte_mbuf *burst[PKTGEN_BURST];
	unsigned total = 0, n;

	for (unsigned i = 0; i < BURSTS; i++) {
		n = rte_eth_rx_burst(rx->port, rx->queue, burst, PKTGEN_BURST);
		if (!n)
			break;
		const uint64_t now = rte_rdtsc();

		if (!rx->first)
			rx->first = now;
		rx->last = now;
		take_burst(rx, burst, n, now);
		rx->verify_cycles += rte_rdtsc() - now;
		total += n;
		if (n < PKTGEN_BURST / 2)
			break;
	}
	return total;
}
