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
 * @given: numbers below this were given out; a frame may be under way before it counts as sent
 * @sent, @bytes: what the port took. Bytes with FCS
 * @blocked: the port did not take all frames of the last burst, or no buffer was free
 * @done: nothing more will be sent
 * @stop: set by the controller: send nothing more
 * @begin, @end: TSC when sending could begin, and when it was done
 * @make_cycles, @send_cycles: TSC spent on making and on sending @sent packets
 *
 * Frames of a flow lie ready in all buffers of @pool and are only signed. Frames of a capture are
 * copied into a buffer each.
 */
struct tx {
	uint16_t port, queue;
	struct rte_mempool *pool;
	const struct flow *flow;       /* signed frames, or */
	const struct capture *capture; /* frames as they are */
	const struct run_clock *clock;
	uint64_t count; /* packets to send */
	uint64_t until; /* TSC to stop at; UINT64_MAX: never */

	struct bucket bucket;
	uint32_t cursor, taken_cursor; /* next frame of the capture to make, and to be taken */
	unsigned n_allowed, n_pending, first_pending;
	struct rte_mbuf *pending[PKTGEN_BURST];

	_Atomic uint64_t given, sent, bytes;
	atomic_bool blocked, done, stop;
	uint64_t begin, end, make_cycles, send_cycles;
};

/** tx_fill_pool - write the flow's frame into every buffer of the pool */
void tx_fill_pool(struct rte_mempool *pool, const struct flow *flow);

/** tx_poll - send a burst, if it is time. Return: packets that the port took */
unsigned tx_poll(struct tx *tx);

/** tx_close - free the frames that no port took */
void tx_close(struct tx *tx);

#endif
