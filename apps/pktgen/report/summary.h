/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SUMMARY_H
#define PKTGEN_SUMMARY_H

#include "run/figures.h"

enum {
	SUMMARY_MIN_FLOWS = 32, /* with more flows, plan and result print only some of them */
	SUMMARY_N_FLOWS = 10,   /* these */
};

/** summary_is_short - tell whether plan and result print only some flows (--all-flows: all) */
bool summary_is_short(const struct run *r);

/**
 * summary_print_flows - print each flow, or the worst ones of many
 * @f: final figures
 *
 * A flow is worse than another one if more of its packets have a fault; then if it missed its rate
 * by more, from VERDICT_MET_PERCENT on; then if its largest latency is higher.
 */
void summary_print_flows(const struct run *r, const struct figures *f);

/** summary_print_all - print the sums of several flows, and a distribution over many. @f: final */
void summary_print_all(const struct run *r, const struct figures *f);

#endif
