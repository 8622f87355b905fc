/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_WORKPLACE_H
#define PKTGEN_WORKPLACE_H

#include "base/exit.h"
#include "model/job.h"
#include "port/ports.h"

/**
 * workplace_choose - choose the CPUs of the threads, before EAL starts
 * @c: receives the CPUs
 * @o: the command line
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit workplace_choose(struct cores *c, const struct options *o);

/** workplace_read_eal - read the CPUs of EAL's lcores, if the user's EAL options chose them */
void workplace_read_eal(struct cores *c);

/**
 * workplace_assign - set the numbers of queues of open ports, and assign each queue to a worker
 * @p: open ports; their n_tx, n_rx and place are set
 * @j: the flows
 * @o: the command line
 * @c: the CPUs
 *
 * Warns if the NUMA node of a port is unknown or has too few workers.
 */
void workplace_assign(struct ports *p, const struct job *j, const struct options *o,
		      const struct cores *c);

#endif
