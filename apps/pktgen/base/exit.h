/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EXIT_H
#define PKTGEN_EXIT_H

/** enum pktgen_exit - exit status of devx-pktgen */
enum pktgen_exit {
	PKTGEN_MET = 0,           /* every packet arrived as sent, at the requested rate */
	PKTGEN_NOT_MET = 1,       /* packets lost, duplicated, reordered or damaged; rate too low */
	PKTGEN_USAGE = 2,         /* the command line asks for something that is impossible */
	PKTGEN_ENVIRONMENT = 3,   /* the machine lacks a device, driver, memory or permission */
	PKTGEN_REPORT = 4,        /* a report could not be written: stdout, --json or --csv */
	PKTGEN_INTERRUPTED = 128, /* a signal ended the run; main() adds the number of the signal */
	PKTGEN_START_AGAIN = 256, /* not a status: main() starts the program again with --no-huge */
};

#endif
