/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PROGRESS_H
#define PKTGEN_PROGRESS_H

#include <stdint.h>

/**
 * report_progress - print a progress line; on a terminal it replaces the previous one
 * @stage: "sending" or "draining"
 * @ms: milliseconds since the start of the run
 * @sent, @arrived: packets of all flows since the start
 * @step: packets sent since the previous progress line
 * @step_ms: milliseconds since the previous progress line
 */
void report_progress(const char *stage, uint64_t ms, uint64_t sent, uint64_t arrived, uint64_t step,
		     uint64_t step_ms);

#endif
