/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_MONITOR_H
#define PKTGEN_MONITOR_H

#include "base/exit.h"

/**
 * DOC: devx-pktgen monitor
 *
 * A secondary process of DPDK, which shows the figures of a running devx-pktgen. It reads what the
 * controller publishes (publish.h) and the statistics of the ports of net_devx. It sends and
 * receives nothing, and no worker waits for it.
 */

/**
 * monitor_main - run `devx-pktgen monitor`
 * @argc, @argv: the command line, from "monitor" on
 *
 * Return: the exit status: 0 the run ended, or --count reports were printed; PKTGEN_USAGE,
 * PKTGEN_ENVIRONMENT or PKTGEN_REPORT after one line on stderr; or 128 + the signal that ended it
 */
int monitor_main(int argc, char **argv);

#endif
