/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RUN_H
#define PKTGEN_RUN_H

#include "base/exit.h"
#include "port/ports.h"
#include "receive/rx.h"

enum { PKTGEN_MAX_FLOWS = 2 };

/**
 * DOC: A run
 *
 * The main lcore controls the run and prints. Workers poll senders and receivers: one each if
 * enough CPUs are available, several in turn otherwise. A run has two stages:
 *
 *     sending    until the count, the duration or Ctrl-C
 *     draining   until no frame has arrived for the time of --drain, or for 100 ms after every
 *                packet has arrived; one more Ctrl-C ends it
 */

/**
 * struct run - everything about one run
 * @interrupted: SIGINT or SIGTERM ended the run
 * @trouble: the reason why the run ended although no limit was reached, or NULL
 * @n_workers: threads that polled
 * @cpu_ns: CPU time of all workers from the start until the last packet was sent or arrived
 * @busy_ms: elapsed time from the start until then
 */
struct run {
	const struct options *o;
	struct ports ports;
	struct capture capture;
	struct run_clock clock;
	unsigned n_flows;
	struct flow flows[PKTGEN_MAX_FLOWS];
	struct tx tx[PKTGEN_MAX_FLOWS];
	struct rx rx[PKTGEN_MAX_FLOWS];
	bool interrupted;
	const char *trouble;
	unsigned n_workers;
	uint64_t cpu_ns, busy_ms;
};

/**
 * run_prepare - make flows, buffers and accounts
 * @r: options, capture and started ports are set
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit run_prepare(struct run *r);

/**
 * run_execute - send, receive, and wait for late frames
 * @r: prepared by run_prepare()
 * @stop: number of signals so far: the first ends sending, one more ends the wait
 */
void run_execute(struct run *r, const volatile int *stop);

/** run_free - undo run_prepare(). The ports are closed */
void run_free(struct run *r);

#endif
