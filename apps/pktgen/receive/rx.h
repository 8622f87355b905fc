/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RX_H
#define PKTGEN_RX_H

#include <stdatomic.h>

#include "receive/match.h"
#include "send/tx.h"

/**
 * struct rx - receiver of one flow, on one queue. One thread polls it
 * @tx: who sends the flow: its numbers are known, and its template
 * @track: what arrived
 * @order: for track_add_arrival(), of signed frames
 * @match: which frame it is, when a capture is replayed
 * @packets, @bytes: all that the port gave. Bytes with FCS
 * @foreign: of these, frames that are not of the flow
 * @arrived: of these, frames of the flow
 * @latency_min_ns, @latency_max_ns, @latency_sum_ns: of good signed frames, on this machine's
 *   clock, from making to receiving, each taken once a burst; mod 2^32 ns (4.3 s)
 * @n_latency: frames in it
 * @verify_cycles: TSC spent on telling what @packets are
 */
struct rx {
	uint16_t port, queue;
	const struct tx *tx;
	const struct run_clock *clock;
	struct track track;
	uint64_t order;
	struct match match;

	_Atomic uint64_t packets, bytes, foreign, arrived;
	uint64_t first, last; /* TSC of the first and the last burst with a frame in it */
	uint64_t latency_sum_ns, n_latency;
	uint32_t latency_min_ns, latency_max_ns;
	uint64_t verify_cycles;
};

/** rx_poll - receive what is there, some bursts at most. Return: frames */
unsigned rx_poll(struct rx *rx);

#endif
