/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MONITOR_H
#define PKTGEN_MONITOR_H

#include "base/exit.h"

/**
 * DOC: devx-pktgen monitor
 *
 * The monitor is a secondary process of DPDK that shows the figures of a running devx-pktgen. It
 * reads what the controller publishes (publish.h), and the statistics of the net_devx ports. It
 * sends and receives nothing, and does not delay the workers.
 */

/**
 * monitor_main - run `devx-pktgen monitor`
 * @argc, @argv: the command line, from "monitor" on
 *
 * Return: the exit status: 0 after the end of the run or --count reports; PKTGEN_USAGE,
 * PKTGEN_ENVIRONMENT or PKTGEN_REPORT after one line on stderr; or 128 + the signal that ended it
 */
int monitor_main(int argc, char **argv);

#endif
