/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BURN_PMD_H
#define TESTS_BENCH_BURN_PMD_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: A driver with known costs, net_burn
 *
 * Its bursts return packets of the Rx pool, or free the packets to send, and spend the given time.
 * The test sets struct burn between the measurements.
 *
 * The time is that of a counter, bench_test_clock(), which only this driver moves, and each read of
 * it by BURN_MARK_CYCLES: results are exact on a busy machine too. The counter is that of all
 * threads.
 */

/**
 * struct burn - the cost of a burst
 * @cycles: TSC cycles per packet; the device net_burn1 burns twice as many
 * @loops: turns of a loop of BURN_LOOP_INSTRUCTIONS, per packet
 * @call_loops: such turns per call
 * @wide_loops: turns of a loop of BURN_WIDE_INSTRUCTIONS with AVX-512 instructions, per packet
 * @at_most: packets of a call; 0: as many as it is asked for
 * @sleep_at: the number of the next call that takes a million cycles more; 0: none
 * @sleep_every: every so many calls, one takes a million cycles more; 0: none
 * @empty: return no packets
 * @wrong_sums: counts packets whose wide loop computed something wrong
 * @start_us: time of a start of the port, in us
 * @started_us: sum of the times of all starts, which a test may use as a clock
 * @rx_bytes: memory of EAL for each Rx queue
 * @start_fails: errno of a start; 0: it succeeds
 * @n_sent: packets that it took to send; it counts them
 */
struct burn {
	uint64_t cycles, loops, call_loops, wide_loops;
	uint16_t at_most;
	unsigned int sleep_at, sleep_every;
	int empty;
	unsigned int wrong_sums;
	unsigned int start_us, started_us, rx_bytes;
	int start_fails;
	uint64_t n_sent;
};
enum {
	BURN_LOOP_INSTRUCTIONS = 2,
	BURN_WIDE_INSTRUCTIONS = 9,
	BURN_MAX_QUEUES = 8,
	BURN_MARK_CYCLES = 32,
};

/** burn_knows_wide_loops - does this processor execute them? */
bool burn_knows_wide_loops(void);

extern struct burn burn;

#endif
