/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TX_H
#define PKTGEN_TX_H

#include <stdatomic.h>

#include <rte_mbuf.h>

#include "base/clock.h"
#include "base/exit.h"
#include "eal/ring_driver.h"
#include "model/capture.h"
#include "model/flow.h"
#include "measure/histogram.h"
#include "send/bucket.h"
#include "send/epochs.h"
#include "send/sender.h"

/**
 * struct pace - bursts of packets with gaps between them; used by one thread
 * @packets: packets of a burst; 0: no bursts
 * @gap: clock ticks from the last packet of a burst to the first of the next
 * @left: packets left in the current burst
 * @next: clock at which the next packet may leave: the start of the flow, or the end of the gap
 */
struct pace {
	uint64_t packets, gap;
	uint64_t left, next;
};

/** pace_begin - begin at clock @start. @packets and @gap are set */
static inline void pace_begin(struct pace *p, uint64_t start)
{
	p->left = p->packets;
	p->next = start;
}

/** pace_is_waiting - tell whether no packet may leave yet at clock @now */
static inline bool pace_is_waiting(const struct pace *p, uint64_t now)
{
	return now < p->next;
}

/** pace_limit - limit @most packets to those left in the burst. Call it only outside a gap */
static inline unsigned pace_limit(const struct pace *p, unsigned most)
{
	return p->packets && p->left < most ? (unsigned)p->left : most;
}

/** pace_take - count @n packets, at most pace_limit(), that leave at clock @now */
static inline void pace_take(struct pace *p, unsigned n, uint64_t now)
{
	if (!p->packets)
		return;
	p->left -= n;
	if (p->left)
		return;
	p->left = p->packets;
	p->next = now + p->gap;
}

/*
 * Frame n of a replay is due at the time of its packet in the capture, divided by the speed. The
 * next pass begins one mean gap after the last packet. All times are ns since sending began.
 */

/**
 * replay_compute_due - compute when packet @n of a replay is due
 * @c: the capture
 * @speed: factor, above 0
 */
static inline uint64_t replay_compute_due(const struct capture *c, double speed, uint64_t n)
{
	const uint64_t at = n / c->n_frames * c->period_ns + c->frames[n % c->n_frames].at_ns;

	return (uint64_t)((double)at / speed);
}

/** replay_count_due - count the packets due at @now_ns among the @most packets from number @n on */
static inline unsigned replay_count_due(const struct capture *c, double speed, uint64_t n,
					unsigned most, uint64_t now_ns)
{
	unsigned due = 0;

	while (due < most && replay_compute_due(c, speed, n + due) <= now_ns)
		due++;
	return due;
}

enum { TX_WHY_BYTES = 192 };

/**
 * struct last_burst - when a port last accepted packets; its send queues share it
 * @tsc: TSC of the burst, or 0
 */
struct last_burst {
	_Atomic uint64_t tsc;
} __rte_cache_aligned;

/**
 * struct port_gaps - time between the packets of a port, as one of its send queues sees it
 * @last: the last burst of the port, by any of its queues
 * @times: ns from a packet of the port to the next one, if this queue sends the next one; used by
 *   one thread
 */
struct port_gaps {
	struct last_burst *last;
	struct histogram times;
};

/* Longer gaps between packets are recorded as this: 18 minutes. */
#define GAPS_HIGHEST_NS (1ull << 40)

/** struct tx_mbufs - state of sender_mbuf. @made: frames; those from @next on are pending */
struct tx_mbufs {
	struct rte_mempool *pool;
	unsigned next;
	struct rte_mbuf *made[PKTGEN_BURST];
};

/** struct tx_ring - state of sender_ring. @patches: signatures; those from @next on are pending */
struct tx_ring {
	struct ring_driver driver;
	struct rte_pmd_devx_ring *ring;
	unsigned next;
	uint8_t patches[PKTGEN_BURST][SIGN_VARIABLE_BYTES];
};

/**
 * struct tx - one stream: a flow, or a part of it, on one queue. One thread polls it
 * @id: number of the stream
 * @shared_pool: buffers of all streams of the queue; NULL if the stream has its own
 * @n_on_queue: number of streams of the queue
 * @sender: makes and sends the frames
 * @sender_why: the reason why --sender auto did not choose the generator ring, or ""
 * @clock: the clock of the run
 * @epochs: of generated frames, owned by the run; NULL for a capture
 * @count: packets to send
 * @until: TSC at which sending ends; UINT64_MAX: no limit. A worker that comes later still sends a
 *   burst of the packets that were due before
 * @gaps: ns between packets that the port accepted, only of a limited rate; packets of one burst
 *   have no gap
 * @port_gaps: the same for all streams of the port, or NULL: not measured
 * @speed: factor of a replay at the times of the capture; 0: at the rate
 * @late: ns by which frames of such a replay are late
 * @first, @last: TSC of the first and the last burst that the port accepted, or 0
 * @cursor, @taken_cursor: the frames of the capture to make next, and for the port to accept next
 * @n_allowed: frames that the rate allowed, but that the sender had no room for yet
 * @n_pending: frames made that the port has not accepted yet
 * @given: lowest number that no frame has yet. A frame may arrive before @sent counts it
 * @sent, @bytes: packets that the port accepted, and their bytes with FCS
 * @blocked: the port did not accept all frames of the last burst, or the sender had no room
 * @done: sending has ended
 * @stop: the controller sets this to end sending
 * @begin, @end: TSC at the end of the delay of the flow, and when sending ended
 * @make_cycles, @send_cycles: TSC cycles spent on making and on sending @sent packets
 */
struct tx {
	uint32_t id;
	uint16_t port, queue;
	struct rte_mempool *shared_pool;
	unsigned n_on_queue;
	const struct sender *sender;
	char sender_why[TX_WHY_BYTES];
	const struct flow *flow;       /* generated frames, if @capture is NULL */
	const struct capture *capture; /* frames to replay, or NULL */
	const struct run_clock *clock;
	struct epochs *epochs;
	uint64_t count, until;

	struct bucket bucket;
	struct pace pace;
	double speed;
	struct histogram gaps, late;
	struct port_gaps *port_gaps;
	uint64_t first, last;
	uint32_t cursor, taken_cursor;
	unsigned n_allowed, n_pending;
	struct tx_mbufs mbufs;
	struct tx_ring ring;

	_Atomic uint64_t given, sent, bytes;
	atomic_bool blocked, done, stop;
	uint64_t begin, end, make_cycles, send_cycles;
} __rte_cache_aligned;

/**
 * tx_prepare - choose and prepare the sender (--sender)
 * @tx: flow, capture and port are set
 * @port: the port, started
 * @o: the command line
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit tx_prepare(struct tx *tx, const struct port *port, const struct options *o);

/** tx_release - undo tx_prepare(), also if it failed or was not called. The port is closed */
void tx_release(struct tx *tx);

/** tx_poll - send a burst if rate, count and time allow. Return: packets that the port accepted */
unsigned tx_poll(struct tx *tx);

/** tx_finish - reclaim the frames that the port did not accept, after polling has ended */
void tx_finish(struct tx *tx);

#endif
