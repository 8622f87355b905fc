/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BURN_PMD_H
#define TESTS_BENCH_BURN_PMD_H

#include <stdint.h>

/**
 * DOC: A driver with known costs, net_burn
 *
 * Its bursts return packets of the Rx pool, or free the packets to send, and spend the given time.
 * The test sets struct burn between the measurements.
 */

/**
 * struct burn - the cost of a burst
 * @cycles: TSC cycles per packet
 * @loops: turns of a loop of BURN_LOOP_INSTRUCTIONS, per packet
 * @call_loops: such turns per call
 * @at_most: packets of a call; 0: as many as it is asked for
 * @sleep_at: the number of the next call that sleeps for 1 ms; 0: none
 * @empty: return no packets
 */
struct burn {
	uint64_t cycles, loops, call_loops;
	uint16_t at_most;
	unsigned int sleep_at;
	int empty;
};
enum { BURN_LOOP_INSTRUCTIONS = 2 };

extern struct burn burn;

#endif
