/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RX_H
#define PKTGEN_RX_H

#include <stdatomic.h>

#include "receive/match.h"
#include "send/tx.h"

/**
 * struct rx - receiver of one flow, on one queue. One thread polls it
 * @tx: the sender of the flow, with its frames and the numbers used so far
 * @track: the account of the flow
 * @order: for track_add_arrival(), if the frames are signed
 * @match: finds the number of a frame, if a capture is replayed
 * @packets, @bytes: everything that the port received. Bytes include the FCS
 * @foreign: received frames that do not belong to the flow
 * @arrived: received frames that belong to the flow, every copy included
 * @distinct: packets of the flow of which a copy arrived
 * @first, @last: TSC of the first and the last burst with a frame
 * @latency_min_ns, @latency_max_ns, @latency_sum_ns: time from making a frame to receiving it, of
 *   intact signed frames; each time is read once per burst; mod 2^32 ns (4.3 s)
 * @n_latency: number of frames in @latency_sum_ns
 * @verify_cycles: TSC cycles spent on verifying @packets
 */
struct rx {
	uint16_t port, queue;
	const struct tx *tx;
	const struct run_clock *clock;
	struct track track;
	uint64_t order;
	struct match match;

	_Atomic uint64_t packets, bytes, foreign, arrived, distinct;
	uint64_t first, last;
	uint64_t latency_sum_ns, n_latency;
	uint32_t latency_min_ns, latency_max_ns;
	uint64_t verify_cycles;
};

/** rx_poll - receive and verify waiting frames, a few bursts at most. Return: their number */
unsigned rx_poll(struct rx *rx);

#endif
