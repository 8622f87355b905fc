/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_GENERATOR_H
#define PKTGEN_GENERATOR_H

#include <stdbool.h>

#include "base/exit.h"

/**
 * generator_find - find the running devx-pktgen in /proc
 * @pid: in: its process id, or 0 for the only one that runs; out: its process id
 *
 * Return: PKTGEN_MET; or PKTGEN_USAGE or PKTGEN_ENVIRONMENT after one line on stderr: there is no
 * such process, several run, or its memory cannot be shared
 */
enum pktgen_exit generator_find(int *pid);

bool generator_runs(int pid);

#endif
