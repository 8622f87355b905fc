/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_STEPPER_H
#define BENCH_STEPPER_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Instructions, counted one by one
 *
 *     bench_gauge_begin() sets the trap flag; a handler counts a signal after each instruction
 *     bench_gauge_end() clears the flag
 *
 * The processor itself executes the code, so every instruction set can be counted. A repeated
 * string instruction counts once per repetition. A step takes about a microsecond.
 */

/**
 * bench_stepper_start - install the handler of SIGTRAP, for the whole process
 * @per_mark: receives the number of instructions that begin and end add to the count
 * @why: receives one clause on failure
 * @why_bytes: size of @why
 *
 * Return: 0; or -ENOTSUP if this processor or its emulator does not trap each instruction
 */
int bench_stepper_start(unsigned int *per_mark, char *why, size_t why_bytes);

/** bench_stepper_take - get the instructions between the marks since the last call */
uint64_t bench_stepper_take(void);

/** bench_stepper_stop - restore SIGTRAP; from now on, a mark of BENCH_STEP ends the process */
void bench_stepper_stop(void);

#endif
