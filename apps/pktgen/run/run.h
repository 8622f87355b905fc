/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RUN_H
#define PKTGEN_RUN_H

#include "base/exit.h"
#include "base/utc_clock.h"
#include "model/job.h"
#include "port/ports.h"
#include "receive/rx.h"
#include "send/tx_queue.h"

/**
 * DOC: A run
 *
 * The main lcore controls the run and prints. Workers poll send and receive queues: one each if
 * enough CPUs are available, several in turn otherwise. A run has two stages:
 *
 *     sending    until the count, the duration or Ctrl-C
 *     draining   until no frame has arrived for the time of --drain, or for 100 ms after every
 *                packet has arrived; one more Ctrl-C ends it
 */

/**
 * struct stream - a flow of the job, or a part of it that one send queue sends
 * @flow: index of the flow in the job
 * @part, @n_parts: it is part @part of @n_parts of the flow
 * @from, @to: the ports
 * @frames: the generated frames; all zero if the stream replays a capture
 * @spread_ns: time from the delay of the flow to the first packet of the stream
 * @tx: the sender. Its id is the index of the stream
 */
struct stream {
	unsigned flow, part, n_parts;
	const struct port *from, *to;
	struct flow frames;
	uint64_t spread_ns;
	struct tx tx;
};

/**
 * struct observer - a function that the controller calls at regular intervals
 * @interval_ms: time between two calls; 0: no calls
 * @see: the function; its second argument is "sending" or "draining"
 */
struct observer {
	uint64_t interval_ms;
	void (*see)(void *arg, const char *stage);
	void *arg;
};

/**
 * struct run - everything about one run
 * @cores: the CPUs of the workers
 * @utc: times of day of the run
 * @number: the number of the run in signatures
 * @streams: all streams; @tx: the sender of each; @epochs: its epochs
 * @queues: the send queues that send something, in the order of ports and queues
 * @last_bursts: of each port, for the gaps between its packets; NULL before they are prepared
 * @rx: the receive queues; those that expect a stream come first
 * @n_expecting: number of receive queues that expect a stream
 * @responders, @n_responders: of the ports that have addresses
 * @interrupted: SIGINT, SIGTERM or SIGHUP ended the run
 * @trouble: the reason why the run ended although no limit was reached, or NULL
 * @n_samples, @n_blocked: how often the controller read the state of an unfinished sender, and how
 *   often the port had not accepted all frames of that sender
 * @observer: called while the run is in progress
 * @n_workers: threads that polled
 * @cpu_ns: CPU time of all workers from the start until the last packet was sent or arrived
 * @busy_ms: time that passed from the start until then
 * @end: TSC at the end of the run
 */
struct run {
	const struct options *o;
	struct job job;
	struct ports ports;
	struct cores cores;
	struct run_clock clock;
	struct utc_clock utc;
	unsigned number, n_streams, n_queues, n_rx, n_expecting;
	struct stream *streams;
	const struct tx **tx;
	struct epochs *epochs;
	struct tx_queue *queues;
	struct last_burst *last_bursts;
	struct rx *rx;
	struct responder *responders;
	unsigned n_responders;
	bool interrupted;
	const char *trouble;
	uint64_t n_samples, n_blocked;
	struct observer observer;
	unsigned n_workers;
	uint64_t cpu_ns, busy_ms, end;
};

/**
 * run_prepare - resolve gateways; make streams, buffers and accounts
 * @r: has options, job and started ports
 * @stop: the wait for gateways ends as soon as *@stop is not 0. Do not call run_execute() then
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit run_prepare(struct run *r, const volatile int *stop);

/**
 * run_execute - send, receive, and wait for late frames
 * @r: prepared by run_prepare()
 * @stop: number of signals so far: the first ends sending, one more ends the wait
 *
 * Return: PKTGEN_MET; or PKTGEN_ENVIRONMENT after one line on stderr, with nothing sent
 */
enum pktgen_exit run_execute(struct run *r, const volatile int *stop);

/** run_free - undo run_prepare(). The ports are closed */
void run_free(struct run *r);

#endif
