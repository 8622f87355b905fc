/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MONITOR_OPTIONS_H
#define PKTGEN_MONITOR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct monitor_options - command line of the monitor
 * @pid: the process to show; 0: the only running devx-pktgen
 * @json: print JSON records
 * @interval_ns: time between two reports
 * @count: number of reports; 0: until the run ends
 */
struct monitor_options {
	int pid;
	bool json;
	uint64_t interval_ns, count;
};

/**
 * monitor_options_parse - read the command line
 *
 * Ends the program with status 0 after --help, and with PKTGEN_USAGE after one line on stderr for
 * an invalid command line.
 */
void monitor_options_parse(struct monitor_options *o, int argc, char **argv);

#endif
