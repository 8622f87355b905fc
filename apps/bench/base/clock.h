/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** bench_clock_ns - nanoseconds of CLOCK_MONOTONIC */
uint64_t bench_clock_ns(void);

/** bench_clock_is_constant - tell whether the TSC has the same rate in every state of the CPU */
bool bench_clock_is_constant(void);

#endif
