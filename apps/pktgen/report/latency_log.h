/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_LATENCY_LOG_H
#define PKTGEN_LATENCY_LOG_H

#include "report/record_file.h"
#include "run/figures.h"

/**
 * latency_log_write - write the latencies and the jitter of all flows as a histogram log
 * @file: open file
 * @f: final figures
 *
 * The log has version 1.3 of HdrHistogram's format, with one line per histogram. The tag of a line
 * is the name of the flow, followed by "_jitter" for jitter. Values are in ns.
 *
 * Return: PKTGEN_MET; or another code after one line on stderr
 */
enum pktgen_exit latency_log_write(struct record_file *file, const struct figures *f);

#endif
