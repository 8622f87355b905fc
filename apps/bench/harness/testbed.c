/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/testbed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "harness/sums.h"

enum {
	IN_FLIGHT = 384, /* frames that a forwarding loop keeps; fewer than a ring: none is lost */
	DRAIN = 64,
	MAX_POLLS = 100000,
	WAIT_MS = 2000,
};

/* ---- windows ------------------------------------------------------------------------------- */

/* Receives and frees one burst of each queue. Returns the number of packets. */
static unsigned int drain_port(const struct bench_port *port, struct bench_count *count)
{
	struct rte_mbuf *m[DRAIN];
	unsigned int total = 0;

	for (uint16_t q = 0; port->driver && q < port->n_queues; q++) {
		const uint16_t n = rte_eth_rx_burst(port->id, q, m, DRAIN);

		rte_pktmbuf_free_bulk(m, n);
		count[q].received += n;
		total += n;
	}
	return total;
}

/* Sends the frames that a loop forwards from then on, in mbufs of the receive pool. */
static int send_first(struct bench_testbed *r)
{
	for (uint32_t i = 0; i < IN_FLIGHT; i++) {
		const uint16_t queue = (uint16_t)(i % r->port.n_queues);
		struct rte_mbuf *m = rte_pktmbuf_alloc(r->port.rx_pool);
		uint8_t *data = m ? (uint8_t *)rte_pktmbuf_append(m, r->stream.bytes) : NULL;

		if (!data)
			return -ENOMEM;
		bench_frame_write_sent(&r->port.frame, i, data);
		/* the receiver of net_memif must poll to make room in its ring */
		for (unsigned int n = 0; !rte_eth_tx_burst(r->port.id, queue, &m, 1); n++) {
			drain_port(&r->peer, r->peer_count);
			if (n == MAX_POLLS)
				return -EIO;
		}
		r->count[queue].sent++;
	}
	return 0;
}

/* Pauses emu's engine to stop the frames of a capture, which has no end. */
static void pause_capture(const struct bench_testbed *r)
{
	if (r->lab->emu && r->stream.work == BENCH_RECEIVE && r->emu_port >= 0)
		r->lab->emu->pause();
	else if (r->lab->emu)
		r->lab->emu->resume();
}

int bench_testbed_begin(struct bench_testbed *r)
{
	int rc = 0;

	pause_capture(r);
	while (r->emu_port >= 0 && drain_port(&r->port, r->count))
		;
	memset(r->count, 0, sizeof(r->count));
	memset(r->peer_count, 0, sizeof(r->peer_count));
	memset(&r->stats, 0, sizeof(r->stats));
	rte_eth_stats_get(r->port.id, &r->stats);
	if (r->emu_port >= 0)
		r->lab->emu->counters((unsigned int)r->emu_port, &r->wires, sizeof(r->wires));
	if (r->lab->emu)
		r->lab->emu->resume();
	if (r->stream.work == BENCH_FORWARD && !bench_testbed_makes_packets(r))
		rc = send_first(r);
	if (rc)
		snprintf(r->missing, sizeof(r->missing), "cannot send the first frames: %s",
			 strerror(-rc));
	return rc;
}

bool bench_testbed_run(struct bench_testbed *r, struct bench_crew *crew, uint64_t lead_ns,
		       uint64_t window_ns, int engine)
{
	static const enum bench_work opposite[BENCH_N_WORKS] = {
		[BENCH_FORWARD] = BENCH_FORWARD,
		[BENCH_SEND] = BENCH_RECEIVE,
		[BENCH_RECEIVE] = BENCH_SEND,
	};
	const bool on_emu = r->lab->emu && strcmp(r->device, "memory") != 0;
	struct bench_job job[BENCH_MAX_CORES + 1];
	unsigned int n = 0;

	for (; n < crew->n_cores; n++)
		job[n] = (struct bench_job){ &r->port, r->stream.work, (uint16_t)n,
					     (uint16_t)crew->n_cores, r->count };
	if (r->peer.driver && crew->other)
		job[n++] = (struct bench_job){ &r->peer, opposite[r->stream.work], 0, 1,
					       r->peer_count };
	if (r->lab->emu && !on_emu)
		r->lab->emu->pause();
	else if (r->lab->emu)
		r->lab->emu->resume();
	return bench_crew_run(crew, job, n, lead_ns, window_ns, on_emu ? engine : 0);
}

/* ---- sums ---------------------------------------------------------------------------------- */

struct totals {
	uint64_t sent, unsent, received;
};

static struct totals add_up(const struct bench_count *count)
{
	struct totals t = { 0 };

	for (unsigned int q = 0; q < BENCH_MAX_QUEUES; q++) {
		t.sent += count[q].sent;
		t.unsent += count[q].unsent;
		t.received += count[q].received;
	}
	return t;
}

/* emu counts the frames that a wire takes from a port and brings to it, and drops by reason. */
static void add_wire_sums(const struct bench_testbed *r, const struct totals *t,
			  struct bench_sums *s)
{
	const struct devx_emu_counters *b = &r->wires;
	struct devx_emu_counters a;
	uint64_t tx, rx, dropped;

	r->lab->emu->counters((unsigned int)r->emu_port, &a, sizeof(a));
	tx = a.tx_uc_packets - b->tx_uc_packets;
	rx = a.rx_uc_packets - b->rx_uc_packets;
	dropped = a.rx_out_of_buffer - b->rx_out_of_buffer + a.rx_steering_miss -
		  b->rx_steering_miss + a.rx_dropped - b->rx_dropped + a.rx_error - b->rx_error;
	if (r->stream.work != BENCH_RECEIVE)
		bench_sums_add(
			s, &(struct bench_sum){ "bursts sent", "emu's wire took", t->sent, tx, 0 });
	if (r->stream.work == BENCH_FORWARD)
		bench_sums_add(s, &(struct bench_sum){ "emu's wire took", "brought", tx, rx,
						       a.wire_dropped - b->wire_dropped });
	if (r->stream.work != BENCH_SEND)
		bench_sums_add(s, &(struct bench_sum){ "emu's wire brought", "bursts received", rx,
						       t->received, dropped });
}

static void add_peer_sums(const struct bench_testbed *r, const struct totals *t,
			  struct bench_sums *s)
{
	const struct totals p = add_up(r->peer_count);

	bench_sums_add(s, &(struct bench_sum){ "bursts sent", "the peer received", t->sent,
					       p.received, 0 });
	bench_sums_add(s, &(struct bench_sum){ "the peer sent", "bursts received", p.sent,
					       t->received, 0 });
}

/* A device of --port may count frames that no burst has returned yet, or that belong to others. */
static void add_driver_sums(struct bench_testbed *r, const struct totals *t, struct bench_sums *s)
{
	const bool shared = !strcmp(r->device, "port");
	struct rte_eth_stats now;
	uint64_t in, out;

	r->lost = r->stream.work == BENCH_FORWARD ? t->unsent : 0;
	if (rte_eth_stats_get(r->port.id, &now))
		return;
	in = now.ipackets - r->stats.ipackets;
	out = now.opackets - r->stats.opackets;
	if (r->stream.work != BENCH_SEND)
		r->lost += now.imissed - r->stats.imissed + now.ierrors - r->stats.ierrors;
	bench_sums_add(s, &(struct bench_sum){ "bursts sent", "the driver counted", t->sent,
					       shared && out > t->sent ? t->sent : out, 0 });
	bench_sums_add(s, &(struct bench_sum){ "the driver counted", "bursts received",
					       shared && in > t->received ? t->received : in,
					       t->received, 0 });
	if (shared && r->stream.work == BENCH_FORWARD && !bench_testbed_makes_packets(r))
		bench_sums_add(s, &(struct bench_sum){ "bursts sent", "bursts received", t->sent,
						       t->received, r->lost });
}

static void make_sums(struct bench_testbed *r, bool with_driver, struct bench_sums *s)
{
	const struct totals t = add_up(r->count);

	s->n = 0;
	if (r->emu_port >= 0)
		add_wire_sums(r, &t, s);
	if (r->peer.driver)
		add_peer_sums(r, &t, s);
	if (with_driver || !strcmp(r->device, "port"))
		add_driver_sums(r, &t, s);
}

int bench_testbed_settle(struct bench_testbed *r)
{
	const uint64_t end = bench_clock_ns() + WAIT_MS * 1000000ull;
	struct bench_sums s;

	pause_capture(r);
	do {
		if (r->stream.work != BENCH_SEND && !bench_testbed_makes_packets(r))
			drain_port(&r->port, r->count);
		drain_port(&r->peer, r->peer_count);
		make_sums(r, false, &s);
	} while (!bench_sums_check(&s, NULL, 0) && bench_clock_ns() < end);
	make_sums(r, true, &s);
	if (r->lab->emu)
		r->lab->emu->resume();
	return bench_sums_check(&s, r->missing, sizeof(r->missing)) ? 0 : -EIO;
}
