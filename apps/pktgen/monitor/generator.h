/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_GENERATOR_H
#define PKTGEN_GENERATOR_H

#include <stdbool.h>

#include "base/exit.h"

/* The running devx-pktgen that a monitor shows, seen from outside, in /proc. */

/**
 * generator_find - find the running devx-pktgen
 * @pid: in: its process, or 0: the only one; out: its process
 *
 * Return: PKTGEN_MET, or PKTGEN_USAGE or PKTGEN_ENVIRONMENT after one line on stderr: there is no
 * such process, several run, or it does not share its memory
 */
enum pktgen_exit generator_find(int *pid);

/** generator_runs - tell whether the process exists */
bool generator_runs(int pid);

#endif
