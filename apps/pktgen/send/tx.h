/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TX_H
#define PKTGEN_TX_H

#include <stdatomic.h>

#include <rte_mbuf.h>

#include "base/clock.h"
#include "model/capture.h"
#include "model/flow.h"
#include "send/bucket.h"
#include "send/sender.h"

/** struct tx_mbufs - state of sender_mbuf. @made: frames; those from @next on wait for the port */
struct tx_mbufs {
	struct rte_mempool *pool;
	unsigned next;
	struct rte_mbuf *made[PKTGEN_BURST];
};

/**
 * struct tx - one flow, on one queue. One thread polls it
 * @sender: makes and sends the frames
 * @clock: the clock of the run
 * @count: packets to send
 * @until: TSC at which sending ends; UINT64_MAX: no limit
 * @cursor, @taken_cursor: next frame of the capture to make, and to be taken by the port
 * @n_allowed: frames that the rate allowed, and that the sender had no room for yet
 * @n_pending: frames made that wait for the port
 * @given: lowest number that no frame has; the port may deliver a frame before @sent counts it
 * @sent, @bytes: packets that the port took, and their bytes with FCS
 * @blocked: the port did not take all frames of the last burst, or the sender had no room
 * @done: sending has ended
 * @stop: the controller sets this to end sending
 * @begin, @end: TSC when the run began, and when sending ended
 * @make_cycles, @send_cycles: TSC cycles spent on making and on sending @sent packets
 */
struct tx {
	uint16_t port, queue;
	const struct sender *sender;
	const struct flow *flow;       /* generated frames, if @capture is NULL */
	const struct capture *capture; /* frames to replay, or NULL */
	const struct run_clock *clock;
	uint64_t count, until;

	struct bucket bucket;
	uint32_t cursor, taken_cursor;
	unsigned n_allowed, n_pending;
	struct tx_mbufs mbufs;

	_Atomic uint64_t given, sent, bytes;
	atomic_bool blocked, done, stop;
	uint64_t begin, end, make_cycles, send_cycles;
};

/** tx_poll - send one burst if rate, count and time allow it. Return: packets that the port took */
unsigned tx_poll(struct tx *tx);

/** tx_finish - take back the frames that the port did not take. No thread polls any more */
void tx_finish(struct tx *tx);

#endif
