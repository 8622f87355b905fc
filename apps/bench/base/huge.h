/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_HUGE_H
#define BENCH_HUGE_H

#include "base/run.h"

/** bench_huge_memory - Return: MiB of packet memory that @run needs */
unsigned bench_huge_memory(const struct bench_run *run);

/** bench_huge_is_free - are enough huge pages of 2 MiB free for @run? */
bool bench_huge_is_free(const struct bench_run *run);

/**
 * bench_huge_tell - print one line if there are too few huge pages
 *
 * Prints nothing if the user asked for ordinary memory or for no progress, and prints once for all
 * processes that this one starts.
 */
void bench_huge_tell(const struct bench_run *run);

#endif
