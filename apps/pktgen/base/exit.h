/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EXIT_H
#define PKTGEN_EXIT_H

/** enum pktgen_exit - exit codes: they mean the same in every command */
enum pktgen_exit {
	PKTGEN_MET = 0,         /* everything sent was received as sent, at the rate asked for */
	PKTGEN_NOT_MET = 1,     /* it was not; or the run was interrupted */
	PKTGEN_USAGE = 2,       /* what the command line says cannot be done */
	PKTGEN_ENVIRONMENT = 3, /* what the machine lacks: device, driver, memory, permission */
};

#endif
