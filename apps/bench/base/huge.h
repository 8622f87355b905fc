/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_HUGE_H
#define BENCH_HUGE_H

#include "base/run.h"

/** bench_huge_memory - get the packet memory that @run needs, in MiB */
unsigned bench_huge_memory(const struct bench_run *run);

/** bench_huge_is_free - tell whether enough huge pages of 2 MiB are free for @run */
bool bench_huge_is_free(const struct bench_run *run);

/**
 * bench_huge_tell - print one line if too few huge pages are free
 *
 * Prints nothing if the user asked for ordinary memory or for no progress. Prints only once for
 * this process and all that it starts.
 */
void bench_huge_tell(const struct bench_run *run);

#endif
