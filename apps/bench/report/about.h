/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ABOUT_H
#define BENCH_ABOUT_H

#include <stdbool.h>

/** struct report_about - the machine and the software with which rows were measured */
struct report_about {
	char program[32];   /* version of devx-bench */
	char dpdk[64];      /* version of DPDK; "" if unknown */
	char net_devx[512]; /* file and build ID of the measured driver; "" if it was not loaded */
	char cpu[96], kernel[96];
	char time[32];    /* end of the run, UTC, ISO 8601 */
	bool interrupted; /* a signal ended the run: rows are missing */
};

/** report_about_fill - describe this machine. @dpdk: result of rte_version() */
void report_about_fill(struct report_about *about, const char *dpdk);

#endif
