/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PROGRESS_H
#define PKTGEN_PROGRESS_H

#include <stdint.h>

/**
 * struct progress - contents of a progress line
 * @stage: "sending" or "draining"
 * @ms: milliseconds since the start of the run
 * @sent, @arrived: packets of all flows since the start
 * @step: packets sent since the previous progress line
 * @step_ms: milliseconds since the previous progress line
 * @share: finished part of sending, 0 to 1; negative: unknown
 * @left_s: remaining time, if @share is known
 */
struct progress {
	const char *stage;
	uint64_t ms, sent, arrived, step, step_ms;
	double share, left_s;
};

/** report_progress - print a progress line; on a terminal it replaces the previous one */
void report_progress(const struct progress *p);

/** progress_format_time - format "12 s", "3 min" or "1.5 h". The next call overwrites the text */
const char *progress_format_time(double seconds);

#endif
