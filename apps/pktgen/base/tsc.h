/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_TSC_H
#define PKTGEN_TSC_H

#include <stdint.h>

/**
 * DOC: The frequency of the TSC
 *
 * rte_get_tsc_hz() rounds to 10 MHz where the CPU does not tell the frequency: rates and times
 * would be wrong by up to 0.2 %. This measures the TSC with CLOCK_MONOTONIC from the start of the
 * program on.
 */

/** tsc_begin - begin to measure. Call it first, once */
void tsc_begin(void);

/**
 * tsc_get_hz - get the frequency of the TSC; the main thread only
 *
 * The first call measures. It waits until tsc_begin() was at least 0.1 s ago: the error is about 10
 * ppm then.
 */
uint64_t tsc_get_hz(void);

#endif
