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
 * The main lcore controls and prints; workers poll senders and receivers. A worker has one
 * of them if there are CPUs enough, and several in turn if not.
 *
 *     send, until the count, the time or Ctrl-C   ->  drain, until it is quiet  ->  account
 */

/**
 * struct run - all of it
 * @interrupted: by a signal
 * @trouble: a sender made no progress any more, or NULL
 */
struct run {
	const struct options *o;
	struct ports ports;
	struct capture capture;
	struct run_clock clock;
	unsigned n_flows;
	struct flow flows[PKTGEN_MAX_FLOWS];
	struct rte_mempool *pools[PKTGEN_MAX_FLOWS];
	struct tx tx[PKTGEN_MAX_FLOWS];
	struct rx rx[PKTGEN_MAX_FLOWS];
	bool interrupted;
	const char *trouble;
};

/**
 * run_prepare - make flows, buffers and accounts
 * @r: options, capture and started ports are set
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit run_prepare(struct run *r);

/** run_execute - send, receive, drain. @stop: set by a signal */
void run_execute(struct run *r, const volatile int *stop);

/** run_free - undo run_prepare(); ports are closed */
void run_free(struct run *r);

#endif
