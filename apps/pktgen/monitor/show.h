/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SHOW_H
#define PKTGEN_SHOW_H

#include "base/exit.h"
#include "monitor/snapshot.h"

/**
 * show_snapshot - print figures to stdout
 * @pid: process of devx-pktgen
 * @now: the figures
 * @last: earlier figures; rates are computed over the time between the two
 * @json: print a JSON record in one line
 *
 * Return: PKTGEN_MET, or PKTGEN_REPORT after one line on stderr
 */
enum pktgen_exit show_snapshot(int pid, const struct snapshot *now, const struct snapshot *last,
			       bool json);

#endif
