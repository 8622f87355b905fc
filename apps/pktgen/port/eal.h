/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_EAL_H
#define PKTGEN_EAL_H

#include <stddef.h>

#include "base/exit.h"
#include "model/options.h"

/**
 * eal_start - start EAL as devx-pktgen needs it
 * @o: the command line
 * @memory_mb: packet memory needed
 *
 * Nothing is left in the file system: no hugepage files, no sockets, no telemetry. Without enough
 * free hugepages EAL runs on ordinary memory. The main lcore is the first CPU this process may
 * use; workers are the others. With one or two CPUs there is one worker, and nobody is bound.
 * Keeps back what EAL and drivers log until eal_log_show(), unless the user wants to see it.
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit eal_start(const struct options *o, size_t memory_mb);

/** eal_stop - give everything back */
void eal_stop(void);

/** eal_log_clear - forget what was logged so far */
void eal_log_clear(void);

/** eal_log_read_first - first line logged since, or @otherwise. Valid until the next call */
const char *eal_log_read_first(const char *otherwise);

/** eal_log_show - from now on logs go to stderr */
void eal_log_show(void);

#endif
