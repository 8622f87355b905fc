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

/** struct callgrind_count - the count of one window, labelled by the process under callgrind */
struct callgrind_count {
	unsigned int path, burst, driver, n_packets, n_calls;
	char function[80];
	unsigned long long n_instructions;
};

/** callgrind_is_running - tell whether this is the process under callgrind */
bool callgrind_is_running(void);

/**
 * callgrind_begin - start to count from 0 before a window; does nothing outside valgrind
 *
 * Between callgrind_end() and callgrind_begin(), valgrind runs several times faster.
 */
void callgrind_begin(void);

/** callgrind_end - stop counting after a window; does nothing outside valgrind */
void callgrind_end(void);

/** callgrind_write_count - write the label and the count of a window to a file, after its end */
void callgrind_write_count(const struct callgrind_count *count);

/**
 * callgrind_run - run this command line under callgrind, and read the counts
 * @counts: receives an array, which the caller frees
 * @n_counts: receives its length
 * @why: receives one clause on failure
 * @why_bytes: size of @why
 *
 * The first count is that of empty marks: its members path, burst, driver and n_packets are 0.
 * After a failure, @counts has the counts up to it: valgrind ends the process at the first
 * instruction that it does not know.
 *
 * Return: 0; -ENOENT without valgrind; -EIO if it failed; or -ENOMEM
 */
int callgrind_run(struct callgrind_count **counts, unsigned int *n_counts, char *why,
		  size_t why_bytes);

#endif
