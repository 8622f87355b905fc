/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_FIGURES_H
#define PKTGEN_FIGURES_H

#include <rte_ethdev.h>

#include "receive/account.h"
#include "run/run.h"

/**
 * DOC: Figures
 *
 * Figures are all numbers of a run at one time. The table, JSON and CSV read no counter themselves,
 * they print figures. So all of them print the same numbers.
 *
 * Figures of a run in progress have only the counters that workers write atomically: packets and
 * bytes. Only final figures have the accounts of flows, times and latencies.
 */

/**
 * struct figures_side - one direction of a queue, a port or a flow
 * @packets, @bytes: bytes include the FCS
 * @first_ns, @last_ns: final figures only: when the first and the last of the packets moved, since
 *   the start of the run. Packets of one burst or poll have the same time
 * @first_utc_ns, @last_utc_ns: the same as times of day: ns since 1970, UTC
 */
struct figures_side {
	uint64_t packets, bytes;
	uint64_t first_ns, last_ns;
	uint64_t first_utc_ns, last_utc_ns;
};

/**
 * struct figures_queue - a send queue and a receive queue with the same number
 * @expected: received frames of streams that the port expects, as the queue counts them
 * @of_streams: the same, as the sum of the streams of the queue
 * @unknown, @requests, @misdirected, @other_run, @unsent, @fragments: other received frames; see
 *   struct rx
 * @verify_cycles: final figures only: see struct rx
 */
struct figures_queue {
	struct figures_side tx, rx;
	uint64_t expected, of_streams, unknown, requests, misdirected, other_run, unsent, fragments;
	uint64_t verify_cycles;
};

/**
 * struct figures_times - times of a flow: those of its only stream, or a sum
 * @times: the times, owned by the run, or @sum; NULL if there are none
 * @last: the times that were added last
 */
struct figures_times {
	const struct histogram *times, *last;
	struct histogram sum;
};

/**
 * struct figures_port - a port
 * @tx, @rx: sums of all queues, counted by devx-pktgen
 * @responder: answers for the addresses of the port; NULL if it has no addresses
 * @answers: answers that the port sent besides the packets of @tx
 * @n_down, @down_s: final figures only: how often the link was down, and for how long
 * @stats: the counters of the port since the start
 * @gaps: final figures only: ns between packets of all flows. Empty unless each send queue sends
 *   several streams, all at limited rates
 * @polls, @unstamped, @negative: final figures only: of all queues of the port; see struct rx
 * @stamp_error_ns: final figures only: error of the timestamps of the port
 * @pauses: final figures only: pause frames that the port received, if it counts them
 */
struct figures_port {
	const struct port *port;
	struct figures_queue *queues;
	unsigned n_queues;
	struct figures_side tx, rx;
	const struct responder *responder;
	uint64_t answers;
	unsigned n_down;
	double down_s;
	struct rte_eth_stats stats;
	struct figures_times gaps, polls;
	uint64_t unstamped, negative, stamp_error_ns, pauses;
};

/** struct figures_change - a change of the packets of a flow; @change: that of the first packet */
struct figures_change {
	struct change change;
	uint64_t packets;
};

/**
 * struct figures_flow - a flow of the job: sums of its streams in all queues
 * @tx, @rx: sent packets, and received ones, every copy included
 * @seconds: final figures only: time for which the flow was sent
 * @offered_rate: requested rate in packets per second; 0: unlimited, or bursts. In a ramp, the
 *   current rate; in final figures, the mean
 * @account, @make_cycles, @send_cycles: final figures only
 * @latency, @jitter: final figures only: ns, of intact signed frames. With more than
 *   LATENCY_MAX_PARTS flows, neighbours share their times
 * @gaps: final figures only: ns between packets of a stream whose rate is limited
 * @late: final figures only: ns by which frames of a replay with its own times were late
 * @changes, @n_changes: final figures only: how packets were changed on their way
 * @n_changes_left_out: changes of packets without room in the tables of struct changes
 */
struct figures_flow {
	const struct job_flow *flow;
	struct figures_side tx, rx;
	double seconds, offered_rate;
	struct account account;
	uint64_t make_cycles, send_cycles;
	struct figures_times latency, jitter, gaps, late;
	struct figures_change *changes;
	unsigned n_changes;
	uint64_t n_changes_left_out;
};

/**
 * struct figures - all numbers of a run at one time
 * @ns: time since the start of the run
 * @is_final: no thread polls any more, and the ports are stopped
 * @tx, @rx: sums of all flows; @account: the same, final figures only
 * @latency, @jitter: final figures only: of all flows
 * @step_ns: final figures only: by how many ns the clock of the machine was set during the run
 */
struct figures {
	uint64_t ns;
	bool is_final;
	unsigned n_ports, n_flows;
	struct figures_port *ports;
	struct figures_flow *flows;
	struct figures_side tx, rx;
	struct account account;
	struct figures_times latency, jitter;
	int64_t step_ns;
};

/** figures_init - allocate figures for a prepared run. Return: 0 or -ENOMEM */
int figures_init(struct figures *f, const struct run *r);

/**
 * struct receive_clock - clock of the receive times of a port
 * @is_device: the clock of the device; else the TSC
 * @error_ns: with the TSC, a time may be late by this. The receiver reads the TSC after the poll
 *   that returns a frame, but the frame may have arrived right after the previous poll, which left
 *   the queue empty. 99 % of these intervals are at most this long. With the clock of the device, a
 *   time may be early or late by this: the clock is compared with the TSC only every 0.1 s
 * @unstamped: with the clock of the device, frames without a usable timestamp: they have the TSC
 * @negative: frames whose latency was negative by the error of the clock, and counts as 0
 */
struct receive_clock {
	bool is_device;
	uint64_t error_ns, unstamped, negative;
};

/**
 * figures_get_clock - get the clock of the receive times of a port
 * @p: final figures
 *
 * Return: whether the port received a frame
 */
bool figures_get_clock(const struct figures_port *p, struct receive_clock *clock);

/** figures_free - undo figures_init(), also if it failed or was not called */
void figures_free(struct figures *f);

/**
 * figures_read - read all numbers of a run
 * @f: from figures_init()
 * @r: the run
 * @is_final: the workers have ended, and the ports are stopped
 */
void figures_read(struct figures *f, const struct run *r, bool is_final);

/** enum figures_sum - sums that must be equal, because devx-pktgen counts both sides itself */
enum figures_sum {
	SUM_FLOW,    /* received = sent - lost + duplicated */
	SUM_STREAMS, /* frames of the flows = frames of the receive queues that belong to flows */
	/* packets of a receive queue = of flows + all others (struct figures_queue) */
	SUM_QUEUE,
	SUM_SENT, /* packets of the flows = packets of the send queues */
	SUM_NONE,
};

enum { FIGURES_TEXT_BYTES = 256 };

/**
 * figures_check - check that final figures add up
 * @f: final figures
 * @send_only: the run received nothing
 * @text: if a sum differs, receives both of its sides
 *
 * Return: SUM_NONE, or the first sum that differs
 */
enum figures_sum figures_check(const struct figures *f, bool send_only,
			       char text[FIGURES_TEXT_BYTES]);

/**
 * figures_compare_port - compare the counters of a port with those of devx-pktgen
 * @p: final figures
 * @send_only: do not compare received packets
 * @text: if they differ, receives the numbers
 *
 * Drivers count at different places: in the burst function, or in the adapter, which also sees
 * frames of other programs. So a difference is worth a line, but the run has not failed.
 *
 * Return: whether they are equal
 */
bool figures_compare_port(const struct figures_port *p, bool send_only,
			  char text[FIGURES_TEXT_BYTES]);

#endif
