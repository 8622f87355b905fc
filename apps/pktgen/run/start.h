/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_START_H
#define PKTGEN_START_H

#include "run/run.h"

/**
 * start_streams - start the clock of the run: rates and durations count from now on
 * @r: prepared, and the workers are parked
 */
void start_streams(struct run *r);

/**
 * start_shift - add a pause to every time of the run, so that the pause does not count
 * @r: the workers are parked
 * @pause: length of the pause, in ticks of the clock
 */
void start_shift(struct run *r, uint64_t pause);

#endif
