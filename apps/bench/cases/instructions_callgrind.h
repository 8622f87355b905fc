/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_INSTRUCTIONS_CALLGRIND_H
#define BENCH_INSTRUCTIONS_CALLGRIND_H

#include <stdbool.h>
#include <stddef.h>

/**
 * DOC: Counts of callgrind
 *
 *     devx-bench instructions --> valgrind --tool=callgrind devx-bench instructions
 *            ^                            |  after each window: a file with label and total
 *            '------ reads the files -----'
 */

/** struct callgrind_count - the count of one window, which the other process labelled */
struct callgrind_count {
	unsigned int path, burst, driver, n_packets, n_calls;
	char function[80];
	unsigned long long n_instructions;
};

/** callgrind_is_running - true in the process under callgrind */
bool callgrind_is_running(void);

/**
 * callgrind_begin - before a window: start the counters at 0. Outside valgrind it does nothing
 *
 * Between callgrind_end() and callgrind_begin(), valgrind runs several times faster.
 */
void callgrind_begin(void);

/** callgrind_end - after a window. Outside valgrind it does nothing */
void callgrind_end(void);

/** callgrind_write_count - in that process, after a window: write its label and total to a file */
void callgrind_write_count(const struct callgrind_count *count);

/**
 * callgrind_run - run this command line under callgrind, and read the counts
 * @counts: receives an array, which the caller frees
 * @n_counts: receives its length
 * @why: receives one clause on failure
 * @why_bytes: its size
 *
 * The first count is that of empty marks: its members path, burst and driver are 0, and n_packets
 * is 0. After a failure, the counts so far are there: valgrind ends the process at the first
 * instruction that it does not know.
 *
 * Return: 0, or -ENOENT: no valgrind; -EIO: it failed, @why has the reason; -ENOMEM
 */
int callgrind_run(struct callgrind_count **counts, unsigned int *n_counts, char *why,
		  size_t why_bytes);

#endif
