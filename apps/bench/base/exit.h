/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_EXIT_H
#define BENCH_EXIT_H

enum bench_exit {
	BENCH_DONE = 0,          /* every selected point was measured, or says why it was not */
	BENCH_WORSE = 1,         /* a regression, a missed target, an exceeded budget, or packets of
				  * throughput that do not add up */
	BENCH_USAGE = 2,         /* the command line asks for something that is impossible */
	BENCH_ENVIRONMENT = 3,   /* the machine lacks a device, driver, memory, clock or permission;
				 * or a file could not be read or written */
	BENCH_INTERRUPTED = 128, /* a signal ended the run; main() adds the number of the signal */
};

#endif
