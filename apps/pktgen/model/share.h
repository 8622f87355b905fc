/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SHARE_H
#define PKTGEN_SHARE_H

#include "model/job.h"

/**
 * DOC: Shares of a flow (--flows)
 *
 * --flows N divides a flow into N, which together send what the flow would have sent. Share i has
 * 1/N of the rate and of the packets. Of a list or a counter it has the values i, i + N, i + 2N
 * and so on; of a list or counter with fewer values, one value.
 */

/**
 * share_check - check that the flow of the command line can be divided into o->n_flows flows
 *
 * Return: NULL; or the reason of a refusal, valid until the next call of this thread
 */
const char *share_check(const struct options *o);

/**
 * share_take - reduce a flow to one of its shares
 * @f: the whole flow, from a command line that share_check() accepts
 * @i: number of the share, below @n
 * @n: number of shares
 *
 * Without memory for a list of values, f->stack.lacks_memory is set.
 */
void share_take(struct job_flow *f, unsigned i, unsigned n);

#endif
