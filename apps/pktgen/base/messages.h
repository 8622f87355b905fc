/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MESSAGES_H
#define PKTGEN_MESSAGES_H

#include <stdint.h>

#include "base/exit.h"

/** report_line - one line on stdout: what is being done */
void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** report_error - one line on stderr: why it ends. Return: @e */
enum pktgen_exit report_error(enum pktgen_exit e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * report_progress - a line a second; on a terminal it overwrites the one before
 * @stage: what is being done
 * @ms: since the start
 * @sent, @arrived: so far, in all flows
 * @step: packets sent since the last line, which was @step_ms ago
 */
void report_progress(const char *stage, uint64_t ms, uint64_t sent, uint64_t arrived, uint64_t step,
		     uint64_t step_ms);

/** end_progress_line - leave the line */
void end_progress_line(void);

#endif
