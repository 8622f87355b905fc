/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PLAN_H
#define PKTGEN_PLAN_H

struct run;

/** report_plan - print what the run will do: flows, senders, workers, clocks and duration */
void report_plan(const struct run *r);

#endif
