/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TX_H
#define PKTGEN_TX_H

#include <stdatomic.h>

#include <rte_mbuf.h>

#include "base/clock.h"
#include "model/capture.h"
#include "model/flow.h"
#include "send/bucket.h"

/**
 * struct tx - sender of one flow, on one queue. One thread polls it
 * @clock: the clock of the run
 * @count: packets to send
 * @until: TSC at which sending ends; UINT64_MAX: no limit
 * @cursor, @taken_cursor: next frame of the capture to make, and to be taken by the port
 * @n_allowed: frames that the rate allowed and that had no buffer yet
 * @pending: frames made; from @first_pending on, @n_pending of them wait for the port
 * @given: lowest number that no frame has; the port may deliver a frame before @sent counts it
 * @sent, @bytes: packets that the port took, and their bytes with FCS
 * @blocked: the port did not take all frames of the last burst, or no buffer was free
 * @done: sending has ended
 * @stop: the controller sets this to end sending
 * @begin, @end: TSC when the run began, and when sending ended
 * @make_cycles, @send_cycles: TSC cycles spent on making and on sending @sent packets
 *
 * All buffers of @pool hold the frame of @flow, so that the sender only signs them. The frames of a
 * @capture are copied into the buffers.
 */
struct tx {
	uint16_t port, queue;
	struct rte_mempool *pool;
	const struct flow *flow;       /* generated frames, if @capture is NULL */
	const struct capture *capture; /* frames to replay, or NULL */
	const struct run_clock *clock;
	uint64_t count, until;

	struct bucket bucket;
	uint32_t cursor, taken_cursor;
	unsigned n_allowed, n_pending, first_pending;
	struct rte_mbuf *pending[PKTGEN_BURST];

	_Atomic uint64_t given, sent, bytes;
	atomic_bool blocked, done, stop;
	uint64_t begin, end, make_cycles, send_cycles;
};

/** tx_fill_pool - write the frame of the flow into every buffer of the pool */
void tx_fill_pool(struct rte_mempool *pool, const struct flow *flow);

/** tx_poll - send one burst if rate, count and time allow it. Return: packets that the port took */
unsigned tx_poll(struct tx *tx);

/** tx_close - free the frames that the port did not take */
void tx_close(struct tx *tx);

#endif
