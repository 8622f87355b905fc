/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_SPARK_H
#define TESTS_PROBES_SPARK_H

#include "world.h"

/**
 * DOC: Completion events on demand
 *
 * The SQ of a set executes a NOP. Its CQ, which was armed before, raises an event.
 */

/** struct spark - the queues of a set, and its UAR */
struct spark {
	const struct set *set;
	uint8_t *uar; /* MAP_FAILED: not mapped */
	uint32_t n_posted;
};

/** spark_open - start the SQ of a set and map the UAR. Return: 0 or errno */
int spark_open(struct spark *k, const struct set *s);
/** spark_close - unmap the UAR */
void spark_close(struct spark *k);
/** spark_raise - arm the CQ and post a NOP; at most 64 times. The event comes a little later */
void spark_raise(struct spark *k);
/** spark_wait - wait until the last NOP has completed. Return: 0 or ETIMEDOUT */
int spark_wait(const struct spark *k);

#endif
