/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EAL_H
#define PKTGEN_EAL_H

#include <stddef.h>

#include "base/exit.h"
#include "model/options.h"
#include "port/cores.h"

/**
 * eal_start - start EAL as devx-pktgen needs it
 * @o: the command line
 * @cores: the CPUs of the threads; read from EAL if the user's EAL options choose them
 * @memory_mb: MiB of packet memory needed
 *
 * EAL creates no hugepage file, socket or telemetry that outlives the process. --allow-monitor
 * needs files; eal_stop() removes them. With too few free hugepages, EAL uses ordinary memory.
 * Holds back the log lines (eal_log.h) unless the user wants to see them (--verbose).
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit eal_start(const struct options *o, struct cores *cores, size_t memory_mb);

/**
 * eal_start_secondary - start EAL as a secondary process of a running devx-pktgen
 * @pid: the running devx-pktgen, which has --allow-monitor
 *
 * Holds back the log lines until eal_stop(). The only lcore may use every CPU of this process.
 *
 * Return: PKTGEN_MET, or PKTGEN_ENVIRONMENT after one line on stderr
 */
enum pktgen_exit eal_start_secondary(int pid);

/** eal_check_workers - refuse EAL options without a worker. Return: PKTGEN_MET or PKTGEN_USAGE */
enum pktgen_exit eal_check_workers(void);

/**
 * eal_stop - end EAL, and remove its runtime directory unless another program uses it
 *
 * Also removes the files that --allow-monitor needed.
 */
void eal_stop(void);

#endif
