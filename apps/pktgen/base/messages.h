/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MESSAGES_H
#define PKTGEN_MESSAGES_H

#include <stdint.h>

#include "base/exit.h"

/** report_line - print one line of the report to stdout */
void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** report_error - print one line to stderr: the reason why the program ends. Return: @e */
enum pktgen_exit report_error(enum pktgen_exit e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** report_warning - print one line to stderr: the run starts, and will probably fail */
void report_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * report_check_stdout - did every write to stdout succeed so far?
 *
 * Return: PKTGEN_MET, or PKTGEN_ENVIRONMENT after one line on stderr: stdout is closed,
 * not open for writing, or a write failed
 */
enum pktgen_exit report_check_stdout(void);

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

/** end_progress_line - on a terminal, end the progress line, so that the next text has its own */
void end_progress_line(void);

#endif
