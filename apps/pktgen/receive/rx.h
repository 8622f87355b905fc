/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RX_H
#define PKTGEN_RX_H

#include <stdatomic.h>

#include "measure/latency.h"
#include "port/stamps.h"
#include "receive/changes.h"
#include "receive/match.h"
#include "respond/responder.h"
#include "send/tx.h"

/**
 * struct rx_stream - what one queue received of one stream. The thread of the queue writes it
 * @tx: the sender of the stream, with its frames and the numbers used so far
 * @track: account of the numbers that arrived
 * @order: for track_add_arrival(), if the frames are signed
 * @match: finds the number of a frame, if a capture is replayed
 * @arrived, @bytes: received frames of the stream, every copy included; bytes include the FCS
 * @first, @last: TSC of the first and the last poll that returned such a frame, or 0
 * @changed: of these, whole, but with other headers than the flow expects
 * @truncated: of those without a readable number, shorter than each frame of the stream
 * @changes: what differed in @changed
 * @untimed: whole frames that are older than the epochs of their sender; without a latency
 * @latency: latency and jitter of all other whole frames
 */
struct rx_stream {
	const struct tx *tx;
	struct track track;
	uint64_t order;
	struct match match;
	_Atomic uint64_t arrived, bytes;
	uint64_t first, last, changed, truncated, untimed;
	struct changes_of changes;
	struct latency_row latency;
};

/**
 * struct rx - one receive queue of a port. One thread polls it
 * @stamps: timestamps of the port
 * @streams, @n_streams: the streams that the port expects
 * @latencies, @n_latencies: histograms of the streams. Neighbours share one if there are more than
 *   LATENCY_MAX_PARTS streams
 * @signed_stream: the expected streams with signed frames, by number of the stream; else NULL
 * @only: the stream, if the port expects only one and it is signed; else NULL
 * @captured: the stream that replays a capture to this port, or NULL
 * @all, @n_all: the senders of all streams of the run, by number
 * @run: number of the run
 * @responder: answers requests to the port, or NULL
 * @expects_fragments: an expected stream sends fragments of IP packets
 * @changes: how the frames of the streams were changed
 * @packets, @bytes: everything that the queue received. Bytes include the FCS
 * @unknown: received frames of no stream
 * @requests: received requests that @responder accepted; not in @unknown
 * @misdirected: received frames of a stream that another port expects
 * @misdirected_id: number of the stream that the last of these belongs to
 * @unsent: received frames with a signature of this run that it has not sent
 * @fragments: received fragments of IP packets, unless @expects_fragments
 * @other_run: received frames that a run with another number signed
 * @other_run_number: number of the run that signed the last of these
 * @arrived: received frames that belong to an expected stream, every copy included
 * @distinct: packets of the expected streams that arrived at least once
 * @first, @last: TSC of the first and the last burst with a frame
 * @verify_cycles: TSC cycles spent on verifying @packets
 * @polled: TSC after the last poll that left the queue empty; 0: none yet
 * @resumed: TSC at the end of the last pause, or 0. Earlier timestamps are useless, because the
 *   clock of the run stood still
 * @unstamped: received frames without a plausible timestamp although @stamps is on; their receive
 *   time is the TSC
 * @negative: received frames whose latency was negative by the error of a clock, and counts as 0
 * @polls: ns from a poll that left the queue empty to a later poll with frames, which arrived in
 *   this time
 */
struct rx {
	uint16_t port, queue;
	const struct run_clock *clock;
	const struct port_stamps *stamps;
	struct rx_stream *streams;
	unsigned n_streams, n_latencies;
	struct latency *latencies;
	struct rx_stream **signed_stream, *only, *captured;
	const struct tx *const *all;
	unsigned n_all, run;
	struct responder *responder;
	bool expects_fragments;
	struct changes changes;

	_Atomic uint64_t packets, bytes, unknown, requests, misdirected, unsent, fragments;
	_Atomic uint64_t other_run;
	_Atomic uint64_t arrived, distinct;
	uint32_t misdirected_id, other_run_number;
	uint64_t first, last, verify_cycles, polled, resumed, unstamped, negative;
	struct histogram polls;
} __rte_cache_aligned;

/**
 * rx_init - prepare a queue
 * @rx: port, queue, clock, @stamps, @all, @n_all and @run are set
 * @expected: senders of the streams that the port expects
 * @n: number of @expected
 *
 * Return: 0; or -ENOMEM. Call rx_free() in both cases
 */
int rx_init(struct rx *rx, const struct tx *const *expected, unsigned n);

/** rx_find_stream - find what a queue received of a stream. Return: NULL if it expects no frame */
static inline const struct rx_stream *rx_find_stream(const struct rx *rx, const struct tx *tx)
{
	if (rx->captured && rx->captured->tx == tx)
		return rx->captured;
	return rx->signed_stream[tx->id];
}

/** rx_finish - complete the histograms, after polling has ended */
void rx_finish(struct rx *rx);

void rx_free(struct rx *rx);

/** rx_poll - receive and verify waiting frames, a few bursts at most. Return: their number */
unsigned rx_poll(struct rx *rx);

#endif
